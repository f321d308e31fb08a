-- lock/unregister_waiter: this node no longer waits for :keys.
begin isolation level read committed;

set local synchronous_commit = off;

with forgotten as (
  delete from ${waiters} w
  where w.key = any (:keys::text[])
    and w.node = :node
  returning w.key
)
select count(*) from forgotten;

commit;
