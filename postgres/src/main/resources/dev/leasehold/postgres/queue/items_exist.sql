-- queue/items_exist: which of :tables are there.
select t.name
from unnest(:tables::text[]) as t (name)
where to_regclass(t.name) is not null;
