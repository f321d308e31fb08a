/** What is tormented: databases, servers and clients in processes of their own, which can be stopped, killed and started again. */
@NullMarked
package dev.leasehold.chaos.site;

import org.jspecify.annotations.NullMarked;
