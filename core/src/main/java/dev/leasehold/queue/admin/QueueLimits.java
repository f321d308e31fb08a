package dev.leasehold.queue.admin;

import java.time.Duration;

/** The limits that the library and every HTTP API keep. */
public final class QueueLimits {
    /** Items in one produce, lease, complete, retry or extend. */
    public static final int MAX_BATCH = 1000;

    /** The page of a listing that does not say. */
    public static final int DEFAULT_PAGE = 1000;

    /** The longest page of items: a longer one that is asked for is cut. Also the items of one import, and the ids of one delete. */
    public static final int MAX_ITEMS_PAGE = 10_000;

    /** What an item counts for beside its payload and texts, where bytes are limited. */
    public static final int ITEM_WEIGHT = 100;

    /** The longest page of a listing of queues. */
    public static final int MAX_QUEUES_PAGE = 65_536;

    /** The most attempts that can be asked for. */
    public static final int MAX_ATTEMPTS = 65_536;

    /** The most partitions that {@link QueueBounds} can allow. Item ids have room for some hundred more: dead letters may need one per store. */
    public static final int MAX_PARTITIONS = 32_000;

    /** The longest that a request may wait. */
    public static final Duration MAX_REQUEST_TIMEOUT = Duration.ofMinutes(15);

    /** Requests must wait longer than this. */
    public static final Duration MIN_REQUEST_TIMEOUT = Duration.ofMillis(10);

    /** What is due sooner than this is due now. */
    public static final Duration NEAR_NOW = Duration.ofMillis(100);

    private QueueLimits() {}
}
