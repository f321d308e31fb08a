-- queue/delete_begin: from now on nobody finds the queue; its tables can be dropped one by one. No row: it has gone, and one of the
-- same name is another queue.
update ${queues}
set
  deleted = true,
  version = nextval(${version_sequence})
where name = :name
  and uid = :uid
returning partition_stores;
