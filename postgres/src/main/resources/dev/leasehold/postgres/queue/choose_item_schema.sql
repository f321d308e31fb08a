-- queue/choose_item_schema: until the transaction ends, the table of a partition is made where it is; if it is not there, beside the
-- table of queues. Without that it would be made in the schema that happens to be the first in the caller's search path, a second one
-- even, and others would not find it.
select set_config('search_path', concat_ws(', ', quote_ident(n.nspname), quote_ident(h.nspname)), true)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join pg_class q
join pg_namespace h on h.oid = q.relnamespace
where c.oid = coalesce(to_regclass(:items), to_regclass(:queues))
  and q.oid = to_regclass(:queues);
