/** The queue door, as Querator's clients know it. */
@NullMarked
package dev.leasehold.server.queue;

import org.jspecify.annotations.NullMarked;
