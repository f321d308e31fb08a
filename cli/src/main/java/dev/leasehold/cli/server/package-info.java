/** Starting the server: the engines, the doors, and how they end together. */
@NullMarked
package dev.leasehold.cli.server;

import org.jspecify.annotations.NullMarked;
