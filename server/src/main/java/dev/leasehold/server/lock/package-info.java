/** The native lock API: {@code POST /v1/lock.*}. */
@NullMarked
package dev.leasehold.server.lock;

import org.jspecify.annotations.NullMarked;
