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
  and exists (
    select
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = to_regclass(:locks)
      and a.attname = 'lock_id'
      and i.indnatts = 1
      and i.indisunique
      and i.indisvalid
  )
  and exists (
    select
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = to_regclass(:locks)
      and a.attname = 'expires_at_ms'
      and i.indisvalid
  )
  and exists (
    select
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    join pg_collation c on c.oid = i.indcollation[0]
    where i.indrelid = to_regclass(:locks)
      and a.attname = 'key'
      and c.collname = 'C'
      and i.indisvalid
  )
  and (
    select count(*)
    from pg_attribute a
    where a.attrelid = to_regclass(:fences)
      and not a.attisdropped
      and a.attname in ('fence_key', 'fence', 'key_debug')
  ) = 3
  and to_regclass(:waiters) is not null as complete;
