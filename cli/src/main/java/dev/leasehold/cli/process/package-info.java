/** The processes that commands run: the signals that they get, and how they are ended. */
@NullMarked
package dev.leasehold.cli.process;

import org.jspecify.annotations.NullMarked;
