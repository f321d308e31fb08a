-- queue/wrong_ids: a piece of complete, extend and retry: the ids that are not held, with whether their items are ready instead of leased.
wrong as (
  select
    a.id,
    coalesce((
      select not i.is_leased and i.enqueue_at is null
      from ${items} i
      where i.id = a.id
        and i.given_back = a.given_back
    ), false) as is_ready
  from unnest(:ids::bigint[], :backs::bigint[]) as a (id, given_back)
  where a.id not in (select id from held)
)
