/** Authentication and permissions. */
@NullMarked
package dev.leasehold.server.auth;

import org.jspecify.annotations.NullMarked;
