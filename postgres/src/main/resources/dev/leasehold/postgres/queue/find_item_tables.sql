-- queue/find_item_tables: which of :tables are there, and whether they have every column that the statements need.
select
  t.name,
  exists (
    select
    from pg_attribute a
    where a.attrelid = to_regclass(t.name)
      and a.attname = 'given_back'
      and not a.attisdropped
  ) as is_complete
from unnest(:tables::text[]) as t (name)
where to_regclass(t.name) is not null;
