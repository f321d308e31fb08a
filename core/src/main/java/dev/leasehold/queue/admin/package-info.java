/** What operators do with queues and what is in them: listings, counts, limits, import and delete. */
@NullMarked
package dev.leasehold.queue.admin;

import org.jspecify.annotations.NullMarked;
