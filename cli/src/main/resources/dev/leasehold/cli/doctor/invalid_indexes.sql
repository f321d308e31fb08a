-- doctor/invalid_indexes: indexes of the tables of locks and queues that an interrupted build has left unusable.
select x.relname as index_name
from pg_index i
join pg_class c on c.oid = i.indrelid
join pg_class x on x.oid = i.indexrelid
where not (i.indisvalid and i.indisready)
  and pg_table_is_visible(c.oid)
  and (
    c.relname in ('syncguard_locks', 'syncguard_fence_counters', 'syncguard_locks_waiters', 'queues')
    or c.relname ~ '^items_[0-9A-Za-z]{10}_[0-9]+$'
  )
order by x.relname
