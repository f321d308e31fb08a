/** The scenarios of locks, and the systems that run in them. */
@NullMarked
package dev.leasehold.bench.lock;

import org.jspecify.annotations.NullMarked;
