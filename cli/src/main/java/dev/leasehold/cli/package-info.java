/** The command line: starts the server, and speaks to one. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
