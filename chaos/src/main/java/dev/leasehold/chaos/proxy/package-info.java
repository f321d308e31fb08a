/** A TCP proxy that understands enough of PostgreSQL's protocol to go wrong at the worst moment. */
@NullMarked
package dev.leasehold.chaos.proxy;

import org.jspecify.annotations.NullMarked;
