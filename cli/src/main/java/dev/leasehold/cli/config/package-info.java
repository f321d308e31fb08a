/** What the server is told, from four sources: options, environment, a file, defaults. */
@NullMarked
package dev.leasehold.cli.config;

import org.jspecify.annotations.NullMarked;
