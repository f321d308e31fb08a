/** What clients do while things go wrong, and what must be true in the end. */
@NullMarked
package dev.leasehold.chaos.workload;

import org.jspecify.annotations.NullMarked;
