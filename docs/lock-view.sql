-- lock/view: the locks with a holder and a namespace as LockServiceCentral's table has them. For reading: live or not, as there, is
-- up to the reader, and times are in seconds, rounded down.
create view "locks" as
select
  l.key as lock_id,
  substr(l.key, 1, strpos(l.key, ':') - 1) as namespace,
  substr(l.key, strpos(l.key, ':') + 1) as lock_name,
  l.holder_owner as owner,
  l.holder_instance_id as instance_id,
  l.holder_lease_ms / 1000 as lease_duration,
  l.expires_at_ms / 1000 as expiry
from "syncguard_locks" l
where l.holder_lock_id = l.lock_id
  and strpos(l.key, ':') > 0;

comment on view "locks" is 'leasehold: locks of syncguard_locks';
