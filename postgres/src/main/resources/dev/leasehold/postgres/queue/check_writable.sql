-- queue/check_writable: fails unless records of queues can be written: on a standby, in a read-only database, without the right to.
-- It deletes nothing.
delete from ${queues}
where false
returning name;
