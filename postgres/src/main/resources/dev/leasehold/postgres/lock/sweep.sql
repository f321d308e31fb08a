-- lock/sweep: deletes lock rows that expired some time ago, and registrations of waiters that have ended. Never a fence counter.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
dead as materialized (
  select l.key
  from ${locks} l
  where l.expires_at_ms < (select now_ms - ${sweep_after} from clock)
    and (:keys::text[] is null or l.key = any (:keys::text[]))
  order by l.expires_at_ms
  limit ${sweep_limit}
  for update skip locked
),
forgotten as (
  delete from ${waiters} w
  where w.until_ms < (select now_ms from clock)
),
swept as (
  delete from ${locks} l
  where l.key = any (array(select key from dead))
    and l.expires_at_ms < (select now_ms - ${sweep_after} from clock)
  returning l.key
)
select count(*) from swept;
