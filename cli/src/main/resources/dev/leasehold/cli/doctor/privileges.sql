-- doctor/privileges: a row for each privilege that the role lacks on tables that are there.
select p.name || ' on ' || c.relname as missing
from pg_class c
cross join (values ('select'), ('insert'), ('update'), ('delete')) as p (name)
where c.relkind = 'r'
  and pg_table_is_visible(c.oid)
  and c.relname in ('syncguard_locks', 'syncguard_fence_counters', 'syncguard_locks_waiters', 'queues')
  and not has_table_privilege(c.oid, p.name)
union all
select 'usage on ' || c.relname
from pg_class c
where c.relkind = 'S'
  and pg_table_is_visible(c.oid)
  and c.relname = 'queues_version'
  and not has_sequence_privilege(c.oid, 'usage')
union all
select 'create on schema ' || current_schema()
where not has_schema_privilege(current_schema(), 'create')
