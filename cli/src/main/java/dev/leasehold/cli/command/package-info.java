/** What all commands share: the target, the output and the exit status. */
@NullMarked
package dev.leasehold.cli.command;

import org.jspecify.annotations.NullMarked;
