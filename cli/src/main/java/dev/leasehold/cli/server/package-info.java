/** Starts the engines and the HTTP server, and stops them together. */
@NullMarked
package dev.leasehold.cli.server;

import org.jspecify.annotations.NullMarked;
