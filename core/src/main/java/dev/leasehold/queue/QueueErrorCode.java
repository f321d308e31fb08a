package dev.leasehold.queue;

/** Why a queue operation failed. That nothing was there to lease is not a failure: it is an empty batch. */
public enum QueueErrorCode {
    /** The call or the configuration is wrong; the same call will never succeed. */
    INVALID_ARGUMENT,
    /** There is no queue of that name. */
    NO_SUCH_QUEUE,
    /** A queue of that name is there already. */
    ALREADY_EXISTS,
    /** There is no item of that id: it was completed, deleted, or its lease ended and it has a new id. */
    NO_SUCH_ITEM,
    /** The item is there, but nobody has leased it. */
    NOT_LEASED,
    /** A lease request of the same client id is waiting at the same queue. */
    DUPLICATE_CLIENT,
    /** The queues or this queue are being shut down or deleted. */
    SHUTTING_DOWN,
    /** The store where a partition lies cannot be reached for now. */
    PARTITION_UNAVAILABLE,
    /** The store cannot be reached or refuses work for now; the same call may succeed later. */
    SERVICE_UNAVAILABLE,
    /** The store refused the credentials. */
    AUTH_FAILED,
    /** No connection was free, or the store limits the rate. */
    RATE_LIMITED,
    /** The store did not answer in time; what became of the call is not known. */
    NETWORK_TIMEOUT,
    /** The caller cancelled the call. */
    ABORTED,
    /** Something that should not happen; the cause says what. */
    INTERNAL
}
