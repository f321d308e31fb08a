/** What operators do with locks that they do not hold. */
@NullMarked
package dev.leasehold.lock.admin;

import org.jspecify.annotations.NullMarked;
