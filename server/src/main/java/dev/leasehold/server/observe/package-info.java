/** Metrics, health and the request log. */
@NullMarked
package dev.leasehold.server.observe;

import org.jspecify.annotations.NullMarked;
