-- doctor/old_transactions: transactions of others in this database that have been open for so many seconds and hold back vacuum.
select
  a.pid,
  coalesce(a.usename, '') as role,
  coalesce(a.state, '') as state,
  floor(extract(epoch from clock_timestamp() - a.xact_start))::bigint as seconds
from pg_stat_activity a
where a.pid <> pg_backend_pid()
  and a.datname = current_database()
  and (a.backend_xid is not null or a.backend_xmin is not null)
  and a.xact_start <= clock_timestamp() - make_interval(secs => ?::bigint)
order by a.xact_start
limit 10
