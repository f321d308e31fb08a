-- queue/delete_begin: from now on nobody finds the queue; its tables can be dropped one by one.
update ${queues}
set
  deleted = true,
  version = nextval(${version_sequence})
where name = :name
returning cardinality(partition_stores) as partitions;
