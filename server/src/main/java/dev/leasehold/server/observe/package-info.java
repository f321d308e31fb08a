/** What the server tells about itself: metrics, health, request log. */
@NullMarked
package dev.leasehold.server.observe;

import org.jspecify.annotations.NullMarked;
