-- schema/choose_schema: until the transaction ends, tables are created in the schema where :table is, if it exists: not in one that
-- happens to come earlier in the caller's search path, where other clients would not find them.
select set_config('search_path', concat_ws(', ', quote_ident(n.nspname), current_setting('search_path')), true)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.oid = to_regclass(:table);
