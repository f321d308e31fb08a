-- lock/awaited: a piece of those that release: whether somebody waits for the key of r on another node. If so, a notification goes
-- out with the commit. It names one of those nodes: the next after this one in their order, which goes round. Mostly nobody waits
-- for any key, and that is asked once and not for every key.
exists (select from ${waiters}) and coalesce((
    select pg_notify(:channel, md5(r.key) || ' ' || w.node)::text is not null
    from (
      select node
      from ${waiters}
      where key = r.key
        and node <> :node
        and until_ms > coalesce(:now::bigint, ${clock})
      order by node > :node desc, node
      limit 1
    ) as w
  ), false)
