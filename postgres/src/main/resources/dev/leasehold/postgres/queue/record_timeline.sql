-- queue/record_timeline: the sequences of a queue have been moved on. Where the records are at home it gets a new version, which nobody
-- has ever known; the sequence of versions is moved on as those of items are, see advance_sequences.sql.
begin isolation level read committed;

set local lock_timeout = ${lock_timeout};

select name
from ${queues}
where name = :name
  and uid = :uid
for no key update;

select pg_advisory_xact_lock(hashtext(${records_lock}));

with moved as (
  update ${queues}
  set
    timeline = :timeline,
    version = case
      when :is_home = 1 then greatest(
        version + 1,
        setval(
          ${version_sequence},
          coalesce(pg_sequence_last_value(${version_sequence}::regclass), 0) + (greatest(:timeline::bigint, 1) << 32)
        )
      )
      else version
    end
  where name = :name
    and uid = :uid
    and timeline <> :timeline
  returning timeline
)
select timeline
from moved;

commit;
