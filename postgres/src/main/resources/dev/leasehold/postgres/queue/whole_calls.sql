-- queue/whole_calls: a piece of complete, extend and retry: a call (:calls) is good only if all of its items are held, so that each is all
-- or nothing.
bad as materialized (
  select distinct a.call
  from unnest(:ids::bigint[], :calls::bigint[]) as a (id, call)
  where a.id not in (select id from held)
),
good as materialized (
  select a.id
  from unnest(:ids::bigint[], :calls::bigint[]) as a (id, call)
  where a.call not in (select call from bad)
),
