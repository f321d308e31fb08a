/** What was called and what came of it: events, the file they are written to, and the recorder that makes them. */
@NullMarked
package dev.leasehold.chaos.history;

import org.jspecify.annotations.NullMarked;
