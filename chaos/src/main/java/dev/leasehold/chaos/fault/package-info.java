/** What goes wrong on purpose: each fault begins and ends. */
@NullMarked
package dev.leasehold.chaos.fault;

import org.jspecify.annotations.NullMarked;
