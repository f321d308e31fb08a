/** Who asks, and what they may do. */
@NullMarked
package dev.leasehold.server.auth;

import org.jspecify.annotations.NullMarked;
