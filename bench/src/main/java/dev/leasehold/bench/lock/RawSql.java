package dev.leasehold.bench.lock;

import java.util.List;

/**
 * The statements that somebody would write by hand for fenced locks on Leasehold's tables, with SyncGuard's advisory lock, and with
 * nothing else: no holder, no takeover by the same one, no waiting, no answer to who was refused and why.
 */
final class RawSql {
    private static final String CLOCK = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

    /** Keys and lock ids in; a row for each that was granted. */
    static final String ACQUIRE = """
            with clock as materialized (
              select %s as now_ms
            ),
            free as materialized (
              select w.key, w.lock_id
              from unnest(?::text[], ?::text[]) as w (key, lock_id)
              where not exists (
                select from syncguard_locks l where l.key = w.key and l.expires_at_ms > (select now_ms from clock)
              )
                and pg_try_advisory_xact_lock(hashtext(w.key)::bigint)
            ),
            fences as (
              insert into syncguard_fence_counters as f (fence_key, fence)
              select 'fence:' || key, 1 from free order by key
              on conflict (fence_key) do update set fence = f.fence + 1
              returning f.fence_key, f.fence
            )
            insert into syncguard_locks as l (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
            select w.key, w.lock_id, c.now_ms + 300000, c.now_ms, lpad(f.fence::text, 15, '0'), w.key
            from fences f
            join free w on 'fence:' || w.key = f.fence_key
            cross join clock c
            order by w.key
            on conflict (key) do update set
              lock_id = excluded.lock_id,
              expires_at_ms = excluded.expires_at_ms,
              acquired_at_ms = excluded.acquired_at_ms,
              fence = excluded.fence,
              user_key = excluded.user_key
            where l.expires_at_ms <= (select now_ms from clock)
            returning l.lock_id, l.fence
            """.formatted(CLOCK);

    static final String ACQUIRE_ONE = ACQUIRE.replace(
            "from unnest(?::text[], ?::text[]) as w (key, lock_id)", "from (values (?, ?)) as w (key, lock_id)");

    static final String RELEASE =
            "delete from syncguard_locks where lock_id = any (?::text[]) and expires_at_ms > " + CLOCK;

    static final String RELEASE_ONE = "delete from syncguard_locks where lock_id = ? and expires_at_ms > " + CLOCK;

    /** Everything in the table, in one statement. */
    static final String EXTEND_ALL =
            "update syncguard_locks set expires_at_ms = " + CLOCK + " + 300000 where expires_at_ms > " + CLOCK;

    /** What Leasehold tells its own sessions. */
    static final List<String> SETTINGS = List.of(
            "set plan_cache_mode = force_generic_plan",
            "set enable_seqscan = off",
            "set enable_bitmapscan = off",
            "set jit = off");

    private RawSql() {}
}
