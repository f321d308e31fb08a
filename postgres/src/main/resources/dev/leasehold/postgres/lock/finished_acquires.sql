-- lock/finished_acquires: precedes release_with_reason in the same transaction, for grants whose acquire has an unknown outcome: those of
-- :unsure_ids whose acquire has ended, granted or not.
--
-- An acquire holds the advisory lock of its key until its commit is complete, also while that waits for the disk or for a standby; until
-- then no other transaction sees the grant. So under the advisory lock a later snapshot without the grant proves that there is none. The
-- lock is tried, not waited for, so that no other release waits with it.
select w.lock_id::name as lock_id
from unnest(:unsure_ids::text[], :unsure_keys::text[]) as w (lock_id, key)
where pg_try_advisory_xact_lock(hashtext(w.key)::bigint);
