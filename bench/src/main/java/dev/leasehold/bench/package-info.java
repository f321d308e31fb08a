/** Measures Leasehold and its peers side by side: the framework. Scenarios live in the packages below. */
@NullMarked
package dev.leasehold.bench;

import org.jspecify.annotations.NullMarked;
