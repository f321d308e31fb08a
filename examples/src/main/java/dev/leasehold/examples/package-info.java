/** One runnable main per feature. Start with {@link dev.leasehold.examples.QuickStart}. */
@NullMarked
package dev.leasehold.examples;

import org.jspecify.annotations.NullMarked;
