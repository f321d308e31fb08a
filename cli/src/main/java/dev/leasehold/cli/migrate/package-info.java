/** The tables, brought to a database by hand. */
@NullMarked
package dev.leasehold.cli.migrate;

import org.jspecify.annotations.NullMarked;
