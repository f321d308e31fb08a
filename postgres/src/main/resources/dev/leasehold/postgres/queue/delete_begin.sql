-- queue/delete_begin: marks a queue as deleted, so that no node finds it and its tables can be dropped one by one; returns the stores of its
-- partitions. No row: it does not exist any more (one of the same name has another uid), or another queue names it as its dead queue,
-- which only the store with the truth knows (:is_home), or it is not in the timeline of that store.
--
-- Changes of records wait for each other, as in create, and before that for the row, as in update. A row that is marked already is read
-- and not locked: dropping its tables may wait for a transaction that uses them.
begin isolation level read committed;

set local lock_timeout = ${lock_timeout};

select name
from ${queues}
where name = :name
  and not deleted
for no key update;

select pg_advisory_xact_lock(hashtext(${records_lock}));

with begun as (
  update ${queues} q
  set
    deleted = true,
    version = greatest(nextval(${version_sequence}), q.version + 1)
  where q.name = :name
    and q.uid = :uid
    and not q.deleted
    and (
      :is_home = 0
      or (
        ${in_timeline}
        and not exists (select from ${queues} u where u.dead_queue = :name and not u.deleted)
      )
    )
  returning array(select distinct unnest(q.partition_stores)) as partition_stores
)
select partition_stores
from begun
union all
select partition_stores
from ${queues}
where name = :name
  and uid = :uid
  and deleted;

commit;
