-- lock/schema_check: whether every table, column and index is there that the statements need.
select
  (
    select count(*)
    from pg_attribute a
    where a.attrelid = to_regclass(:locks)
      and not a.attisdropped
      and a.attname in (
        'key', 'lock_id', 'expires_at_ms', 'acquired_at_ms', 'fence', 'user_key',
        'holder_lock_id', 'holder_owner', 'holder_instance_id', 'holder_lease_ms'
      )
  ) = 10
  and (
    select count(*)
    from pg_index i
    where i.indrelid = to_regclass(:locks)
      and i.indisvalid
  ) >= 3
  and (
    select count(*)
    from pg_attribute a
    where a.attrelid = to_regclass(:fences)
      and not a.attisdropped
      and a.attname in ('fence_key', 'fence', 'key_debug')
  ) = 3
  and to_regclass(:waiters) is not null as complete;
