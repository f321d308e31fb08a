/** The PostgreSQL that comes along: unpacked, set up, started, adopted and stopped in a data directory of its own. */
@NullMarked
package dev.leasehold.embedded;

import org.jspecify.annotations.NullMarked;
