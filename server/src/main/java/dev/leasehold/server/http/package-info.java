/** Shared by all HTTP APIs: requests, responses, routes, the network. */
@NullMarked
package dev.leasehold.server.http;

import org.jspecify.annotations.NullMarked;
