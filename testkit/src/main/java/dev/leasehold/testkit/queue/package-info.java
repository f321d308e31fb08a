/** What every queue engine promises, one test class per subject. A suite runs them all on one engine. */
@NullMarked
package dev.leasehold.testkit.queue;

import org.jspecify.annotations.NullMarked;
