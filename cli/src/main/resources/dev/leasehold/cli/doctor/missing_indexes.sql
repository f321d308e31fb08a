-- doctor/missing_indexes: the indexes that a table of items should have and has not, and how to create each.
select
  n.index_name,
  format('create %s concurrently if not exists %I on %I %s', s.kind, n.index_name, c.relname, s.definition) as statement
from pg_class c
cross join (
  values
    ('lse', 'index', '(id) where not is_leased and enqueue_at is null'),
    ('dln', 'index', '(lease_deadline) where is_leased'),
    ('sch', 'index', '(enqueue_at, id) where enqueue_at is not null'),
    ('exp', 'index', '(expire_deadline) where not is_leased and enqueue_at is null'),
    ('src', 'unique index', '(source_id) where source_id is not null')
) as s (suffix, kind, definition)
cross join lateral (select 'idx_' || substr(c.relname, 7) || '_' || s.suffix as index_name) n
where c.relkind = 'r'
  and pg_table_is_visible(c.oid)
  and c.relname ~ '^items_[0-9A-Za-z]{10}_[0-9]+$'
  and not exists (
    select
    from pg_index i
    join pg_class x on x.oid = i.indexrelid
    where i.indrelid = c.oid
      and x.relname = n.index_name
  )
order by n.index_name
