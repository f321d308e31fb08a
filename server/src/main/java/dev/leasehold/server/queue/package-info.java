/** The Querator API. */
@NullMarked
package dev.leasehold.server.queue;

import org.jspecify.annotations.NullMarked;
