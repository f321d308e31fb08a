-- doctor/dead_tuples: tables of locks and queues with many dead rows, and more of them than live ones.
select
  s.relname as table_name,
  s.n_live_tup as live,
  s.n_dead_tup as dead,
  coalesce(to_char(greatest(s.last_vacuum, s.last_autovacuum), 'YYYY-MM-DD HH24:MI'), 'never') as last_vacuum
from pg_stat_user_tables s
where pg_table_is_visible(s.relid)
  and s.n_dead_tup > 10000
  and s.n_dead_tup > s.n_live_tup
  and (
    s.relname in ('syncguard_locks', 'syncguard_fence_counters', 'syncguard_locks_waiters', 'queues')
    or s.relname ~ '^items_[0-9A-Za-z]{10}_[0-9]+$'
  )
order by s.n_dead_tup desc
limit 5
