-- queue/notify_ready: has other nodes hear that something became ready. A hint, so its commit does not wait for the disk.
begin isolation level read committed;

set local synchronous_commit = off;

select pg_notify(:channel, :payload);

commit;
