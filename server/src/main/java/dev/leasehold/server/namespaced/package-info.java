/** The LockServiceCentral API: locks by namespace and name. */
@NullMarked
package dev.leasehold.server.namespaced;

import org.jspecify.annotations.NullMarked;
