-- queue/dead_queue_fits: a piece of create and update, the condition on a dead queue: none is named, or it exists in the same
-- namespace, has no dead queue itself, and no other queue names this one.
:dead_queue = ''
or (
  exists (
    select
    from ${queues} d
    where d.name = :dead_queue
      and d.namespace = :namespace
      and d.dead_queue = ''
      and not d.deleted
  )
  and not exists (select from ${queues} u where u.dead_queue = :name and not u.deleted)
)
