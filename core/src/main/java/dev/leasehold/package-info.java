/** What locks and queues have in common. */
@NullMarked
package dev.leasehold;

import org.jspecify.annotations.NullMarked;
