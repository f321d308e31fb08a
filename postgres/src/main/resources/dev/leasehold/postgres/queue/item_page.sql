-- queue/item_page: a piece of list_items and list_scheduled: items from :first on for which ${condition}, up to :limit, and of those beyond
-- the second none behind the one with which they weigh :bytes. One row without an id if there is none. No row: the queue is not as the
-- caller knows it.
select
  i.id, i.given_back, i.source_id, i.is_leased, i.lease_deadline, i.expire_deadline, i.created_at, i.enqueue_at, i.attempts, i.max_attempts,
  i.reference, i.encoding, i.kind, i.payload
from ${queues} q
left join lateral (
  select *
  from (
    select
      r.*,
      sum(${weight} + coalesce(octet_length(r.source_id), 0)) over by_id
        - (${weight} + coalesce(octet_length(r.source_id), 0)) as weight_before,
      row_number() over by_id as place
    from (
      select *
      from ${items} i
      where i.id >= :first
        and ${condition}
      order by i.id
      limit :limit
    ) as r
    window by_id as (order by r.id rows unbounded preceding)
  ) as r
  where r.weight_before < :bytes
    or r.place <= 2
) as i on true
where q.name = :queue
  and q.version = :version
  and q.uid = :uid;
