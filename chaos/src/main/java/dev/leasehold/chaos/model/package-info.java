/** Small models of the rules of locks and queues, looked at in every state that they can get into. */
@NullMarked
package dev.leasehold.chaos.model;

import org.jspecify.annotations.NullMarked;
