/** The contract of Leasehold as JUnit classes, with what they need to run: a PostgreSQL and a clock that moves. */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
