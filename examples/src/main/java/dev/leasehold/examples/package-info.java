/** One runnable main per feature. Start with {@link dev.leasehold.examples.QuickStart} and {@link dev.leasehold.examples.QueueQuickStart}. */
@NullMarked
package dev.leasehold.examples;

import org.jspecify.annotations.NullMarked;
