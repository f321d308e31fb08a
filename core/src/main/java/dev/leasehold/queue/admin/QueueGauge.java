package dev.leasehold.queue.admin;

/**
 * About how a queue stands, as far as this node knows without asking a store.
 *
 * @param namespace whose queue it is
 * @param ready items that are ready, as of when the node last looked; of each partition at most about a thousand are counted
 * @param leaseWaiting lease requests that wait for items here
 * @param inFlight calls not yet answered here
 */
public record QueueGauge(String namespace, String queue, long ready, int leaseWaiting, int inFlight) {}
