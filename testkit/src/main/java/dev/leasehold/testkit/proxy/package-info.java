/** A TCP proxy that understands enough of PostgreSQL's protocol to fail at the worst moment. */
@NullMarked
package dev.leasehold.testkit.proxy;

import org.jspecify.annotations.NullMarked;
