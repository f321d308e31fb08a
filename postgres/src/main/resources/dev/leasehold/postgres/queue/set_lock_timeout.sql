-- queue/set_lock_timeout: nothing in this transaction waits for a lock for long. It has locked the row of a queue, and whoever wants to
-- change that waits with the lock that all changes of queues need.
set local lock_timeout = ${lock_timeout};
