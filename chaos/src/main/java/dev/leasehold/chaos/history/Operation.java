package dev.leasehold.chaos.history;

/** What was called. The subject of the first group is a key, of the second a queue, of the third what each says. */
public enum Operation {
    /** Acquire, waiting or not. Invoke: lasts (the ttl), if it renews itself. Ok: grant, fence. Fail: it was locked, or refused. */
    ACQUIRE,
    /** Extend by handle or lock id. Invoke: grant, lasts. Fail: it is gone. */
    EXTEND,
    /** The holder asked its handle whether it is held. Invoke: grant. Ok: yes. Fail: no. */
    HELD,
    /** Release or close. Invoke: grant. Ok: this call ended the grant. Fail: it was gone already. */
    RELEASE,
    /** An operator took the lock away. Invoke: fence if known. */
    FORCE_RELEASE,
    /**
     * The commit of a transaction in which guard had succeeded: invoked after guard returned. Invoke: grant, fence, and as items what
     * the transaction wrote, if the key has a {@link #LEFT} at the end.
     */
    COMMIT,
    /** The same without guard: it may be lost. */
    WRITE,
    /** A look at many locks that renew themselves, all at once. Ok: the note says how many are held. The subject names the collection. */
    KEEP,
    /**
     * A lock that was to be kept is no longer. Invoke: grant, lasts (the ttl), and as a note {@link Facts#UNTOLD} if its holder was not
     * told of it.
     */
    LOST,

    /** Produce; in a transaction of the caller's, up to its commit. Invoke: items (payload, turn). Ok: partition, items with ids. */
    PRODUCE,
    /**
     * Lease. Invoke: lasts (the lease timeout). Ok: partition, items with ids and attempts, in their order; maybe none.
     *
     * <p>What a handler of a consumer is given was leased at some time before: then without lasts, one call per item, invoked when
     * the handler begins.
     */
    LEASE,
    /** Extend leases. Invoke: partition, items as they were leased, lasts. */
    EXTEND_LEASE,
    /** Complete; in a transaction of the caller's, up to its commit. Invoke: partition, items as they were leased. */
    COMPLETE,
    /** Retry. Invoke: partition, items as they were leased, with their turn. */
    RETRY,
    /** Give back. Invoke: partition, items as they were leased. */
    GIVE_BACK,

    /** A queue was set up. Ok: its {@link QueueFacts}; if others change and delete it, too, those are told by the invoke. */
    CREATE_QUEUE,
    /** A queue was changed. Invoke: its new {@link QueueFacts}. */
    UPDATE_QUEUE,
    /** Items of a queue were deleted: all, or some sorts of them. */
    CLEAR_QUEUE,
    /** A queue was deleted with all that is in it. */
    DELETE_QUEUE,
    /** A listing of queues, at one moment. Ok: items, of which each is a queue: its name as payload, its dead queue, if any, as id. */
    QUEUES,
    /** All that was in the queue, or in what {@link #COMMIT} wrote, when all was over. Ok: items, in any order. */
    LEFT,
    /** A fault, from its beginning (invoke) to its end (ok). The subject names it; the note says of what. */
    FAULT
}
