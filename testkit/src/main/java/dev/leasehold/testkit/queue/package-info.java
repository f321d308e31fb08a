/** What every queue engine promises, one abstract test class per guarantee. An engine's tests extend them all. */
@NullMarked
package dev.leasehold.testkit.queue;

import org.jspecify.annotations.NullMarked;
