-- lock/waiting_node: a piece of the statements that release: the node to notify that the key of r is free, if other nodes wait for it. It
-- is the next one after this node in the order of their names, which wraps around. Mostly the table of waiters is empty, which is checked
-- once and not for every key. The notification is sent after the commit, with notify_released.
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
