-- lock/finished_acquires: goes before release_with_reason, in the same transaction, for grants whose acquire had an unknown outcome: those of
-- :unsure_ids whose acquire is over, whatever became of it.
--
-- An acquire has the advisory lock of its key until its commit is complete, also if that waits for the disk or for a standby: until
-- then nobody else sees the grant. Who has the advisory lock, and no grant in a later snapshot, knows that there is none. It is tried,
-- not waited for, so that no other release waits with it.
select w.lock_id::name as lock_id
from unnest(:unsure_ids::text[], :unsure_keys::text[]) as w (lock_id, key)
where pg_try_advisory_xact_lock(hashtext(w.key)::bigint);
