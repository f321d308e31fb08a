/** The HTTP server: three APIs on one port. */
@NullMarked
package dev.leasehold.server;

import org.jspecify.annotations.NullMarked;
