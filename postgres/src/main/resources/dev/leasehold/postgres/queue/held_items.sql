-- queue/held_items: a piece of complete, extend, retry and give_back: locks those of the items :ids that are leased under these ids,
-- and only ${condition}. The numbers are in ascending order, each with how often its item was given back (:backs): an item that was
-- given back since then has another id. attempts is what retry needs.
--
-- Items are found by id alone: is_leased::int is a form that no partial index matches, or the planner may read everything that is leased
-- to find a few of them.
held as materialized (
  select i.id, i.attempts
  from ${items} i
  where i.id = any (:ids::bigint[])
    and i.is_leased::int = 1
    and i.given_back = (:backs::bigint[])[width_bucket(i.id, :ids::bigint[])]
    and ${condition}
  order by i.id
  for update
),
