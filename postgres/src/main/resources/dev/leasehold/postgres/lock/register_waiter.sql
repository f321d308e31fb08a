-- lock/register_waiter: registers that this node waits for :keys, so that a release on another node wakes it. A hint: it need not be durable.
begin isolation level read committed;

set local synchronous_commit = off;

with registered as (
  insert into ${waiters} as w (key, node, until_ms)
  select k.key, :node, coalesce(:now::bigint, ${clock}) + :ttl_ms
  from unnest(:keys::text[]) as k (key)
  order by k.key
  on conflict (key, node) do update set until_ms = excluded.until_ms
  returning w.key
)
select count(*) from registered;

commit;
