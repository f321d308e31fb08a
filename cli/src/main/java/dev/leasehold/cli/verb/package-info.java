/** What all verbs of the command line share: where they work, how they answer, and how they end. */
@NullMarked
package dev.leasehold.cli.verb;

import org.jspecify.annotations.NullMarked;
