-- lock/waiting_node: a piece of those that release: the node that is to be told that the key of r is free, if some wait for it elsewhere. It is
-- the next after this one in their order, which goes round. Mostly nobody waits for any key, and that is asked once and not for every
-- key. It is told after the commit, with notify_released.
case
    when exists (select from ${waiters}) then (
      select w.node::name
      from ${waiters} w
      where w.key = r.key
        and w.node <> :node
        and w.until_ms > coalesce(:now::bigint, ${clock})
      order by w.node > :node desc, w.node
      limit 1
    )
  end
