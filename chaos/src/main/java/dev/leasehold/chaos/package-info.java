/** Runs workloads while things go wrong on purpose, and checks what came out. */
@NullMarked
package dev.leasehold.chaos;

import org.jspecify.annotations.NullMarked;
