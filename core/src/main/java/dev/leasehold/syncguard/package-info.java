/** The API of SyncGuard on any {@code Locks}: raw lookups, storage keys, its retry policy and its words for what a store can do. */
@NullMarked
package dev.leasehold.syncguard;

import org.jspecify.annotations.NullMarked;
