/** What every lock engine promises, one abstract test class per guarantee. An engine's tests extend them all. */
@NullMarked
package dev.leasehold.testkit.lock;

import org.jspecify.annotations.NullMarked;
