/** The promises of Leasehold in one process: for unit tests, and as the executable model of the contract. */
@NullMarked
package dev.leasehold.memory;

import org.jspecify.annotations.NullMarked;
