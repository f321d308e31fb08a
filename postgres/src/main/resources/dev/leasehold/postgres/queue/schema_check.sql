-- queue/schema_check: whether everything is there that the statements need.
select
  (
    select count(*)
    from pg_attribute a
    where a.attrelid = to_regclass(:queues)
      and not a.attisdropped
      and a.attname in ('name', 'hash', 'uid', 'version', 'partition_stores', 'deleted', 'namespace', 'timeline')
  ) = 8
  and to_regclass(:queues_hash) is not null
  and to_regclass(:queues_version) is not null as complete;
