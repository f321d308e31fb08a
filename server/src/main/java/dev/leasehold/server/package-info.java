/** The HTTP server: three families of doors on one port. */
@NullMarked
package dev.leasehold.server;

import org.jspecify.annotations.NullMarked;
