/** What must be true of every history: one small class per invariant, and the checker that asks them all. */
@NullMarked
package dev.leasehold.chaos.check;

import org.jspecify.annotations.NullMarked;
