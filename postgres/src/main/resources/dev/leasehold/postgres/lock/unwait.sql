-- lock/unwait: this node no longer waits for :keys.
select set_config('synchronous_commit', 'off', true);

delete from ${waiters} w
where w.key = any (:keys::text[])
  and w.node = :node;
