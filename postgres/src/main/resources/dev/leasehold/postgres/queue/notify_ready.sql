-- queue/notify_ready: notifies other nodes of partitions with ready items. A hint, so its commit does not wait for the disk.
begin isolation level read committed;

set local synchronous_commit = off;

select pg_notify(:channel, :payload);

commit;
