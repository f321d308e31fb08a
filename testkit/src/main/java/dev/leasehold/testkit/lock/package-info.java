/** What every lock engine promises, one test class per subject. A suite runs them all on one engine. */
@NullMarked
package dev.leasehold.testkit.lock;

import org.jspecify.annotations.NullMarked;
