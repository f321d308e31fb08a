/** How waiting and renewal are done. Not API: may change at any time. */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
