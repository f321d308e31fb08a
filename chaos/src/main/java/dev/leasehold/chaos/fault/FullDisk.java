package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Database;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of locks and of items cannot grow, as if the disk were full.
 *
 * <ol>
 *   <li>A snapshot is held open, so that what is deleted makes no room.
 *   <li>The tables are made as large as a file of the write-ahead log, by rows that are rolled back.
 *   <li>The sessions of the clients may write no further than that into any file ({@code RLIMIT_FSIZE}; PostgreSQL ignores the signal
 *       that goes with it). So the log can be written, and a table gets no more pages.
 *   <li>New sessions are found again and again; the limit is lifted from those that are left at the end.
 * </ol>
 *
 * The postmaster and its helpers have no limit, so that a server that crashes can recover.
 */
final class FullDisk implements Fault {
    private static final long PAUSE_MILLIS = 50;
    private static final String PROGRAM = "prlimit";

    /** Four rows fill a page. Their keys are far from all that are used, and nobody gets to see them. */
    private static final String MANY = "generate_series(1, " + Database.LOG_FILE_BYTES / 2048 + ") as g";

    private static final String LONG = "repeat('x', 1850)";

    private static final String FILL_ITEMS = "do $$ declare one regclass; begin for one in " + Tables.OF_ITEMS
            + " loop begin execute 'insert into ' || one || $fill$"
            + " (id, enqueue_at, expire_deadline, created_at, reference)"
            + " select 9000000000000000000 + g, 'infinity', now(), now(), " + LONG + " from " + MANY + "$fill$;"
            + " raise exception 'enough'; exception when raise_exception then null;"
            + " when undefined_table or syntax_error then null; -- dropped meanwhile: its name is then a number\n"
            + " end; end loop; end $$";

    private static final String FILL_LOCKS = "do $$ begin"
            + " insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
            + " select '~full' || g, '~full' || g, 9000000000000000, 0, '', " + LONG + " from " + MANY + ";"
            + " insert into syncguard_fence_counters (fence_key, key_debug) select '~full' || g, " + LONG + " from "
            + MANY + "; raise exception 'enough'; exception when raise_exception then null; end $$";

    private final Site site;
    private final LongTransaction snapshot;
    private final Map<Long, ProcessHandle> limited = new HashMap<>();
    private @Nullable Repeating limiting;

    FullDisk(Site site) {
        this.site = site;
        this.snapshot = new LongTransaction(site);
    }

    static String missing() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)))
                ? ""
                : PROGRAM + " is not installed";
    }

    @Override
    public void begin() {
        snapshot.begin();
        site.database().executeIn(Site.FIRST, FILL_ITEMS, FILL_LOCKS);
        site.database().executeIn(Site.SECOND, FILL_ITEMS);
        limitAll();
        limiting = new Repeating("chaos-disk", PAUSE_MILLIS, this::limitAll);
    }

    private void limitAll() {
        try {
            List<Long> fresh =
                    Sessions.backends(site).stream().filter(this::isNew).toList();
            set(Integer.toString(Database.LOG_FILE_BYTES), fresh);
        } catch (HarnessException e) {
            return; // the server does not answer just now; the next round comes
        }
    }

    /** The number alone may be another process's by now. */
    private boolean isNew(long pid) {
        ProcessHandle known = limited.get(pid);
        if (known != null && known.isAlive()) {
            return false;
        }
        ProcessHandle.of(pid).ifPresent(process -> limited.put(pid, process));
        return true;
    }

    /** The soft limit alone: what is left of the hard one allows to lift it again. A process that has ended meanwhile needs none. */
    private static void set(String bytes, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(
                "sh", "-c", "for pid do " + PROGRAM + " --pid $pid --fsize=" + bytes + ":; done", "chaos-disk"));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new HarnessException("could not limit the files of the backends", e);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }

    @Override
    public void end() {
        if (limiting != null) {
            limiting.stop();
        }
        set(
                "unlimited",
                limited.values().stream()
                        .filter(ProcessHandle::isAlive)
                        .map(ProcessHandle::pid)
                        .toList());
        snapshot.end();
    }
}
