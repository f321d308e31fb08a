-- queue/remaining_item_tables: the numbers of those partitions of a queue that have a table.
select substr(relname, length(:prefix) + 1)::int as number
from pg_class
where relname >= :prefix::name
  and relname < (left(:prefix, -1) || '`')::name collate "C"
  and substr(relname, length(:prefix) + 1) ~ '^[0-9]{1,9}$'
  and relkind = 'r'
  and pg_table_is_visible(oid)
order by number;
