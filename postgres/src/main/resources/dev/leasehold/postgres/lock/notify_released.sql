-- lock/notify_released: notifies the listening nodes which keys became free, and whose turn it is. A hint, so its commit does not wait for
-- the disk: a commit that notifies makes all commits of the server that notify wait for it.
begin isolation level read committed;

set local synchronous_commit = off;

select count(pg_notify(:channel, payload))
from unnest(:payloads::text[]) as payload;

commit;
