/** The namespaced lock door, as LockServiceCentral's clients know it. */
@NullMarked
package dev.leasehold.server.namespaced;

import org.jspecify.annotations.NullMarked;
