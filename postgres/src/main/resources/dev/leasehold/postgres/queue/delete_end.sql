-- queue/delete_end: the tables are gone, the name is free.
delete from ${queues}
where name = :name
  and uid = :uid
  and deleted;
