/** Processes that tests, the benchmark and the chaos run start, stop and kill. Nothing here knows JUnit. */
@NullMarked
package dev.leasehold.testkit.process;

import org.jspecify.annotations.NullMarked;
