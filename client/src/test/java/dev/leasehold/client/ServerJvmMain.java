package dev.leasehold.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** The inside of a {@link ServerJvm}: one reply to each line. */
final class ServerJvmMain {
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private TestClock clock = new TestClock();

    private ServerJvmMain() {}

    public static void main(String[] args) throws IOException {
        ServerJvmMain process = new ServerJvmMain();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(process.answer(line.split(" ")));
        }
        System.exit(0);
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "locks" -> serve(locks(words[1]), MemoryQueues.create());
                case "queues" -> serve(MemoryLocks.create(), queues(words[1], Long.parseLong(words[2])));
                case "advance" -> advance(Duration.ofMillis(Long.parseLong(words[1])));
                case "stop" -> stopAt(Long.parseLong(words[1]));
                case "refusals" -> Integer.toString(refusals.get());
                case "reset" -> reset();
                default -> "! no such command";
            };
        } catch (Exception e) {
            return "! " + e;
        }
    }

    private Locks locks(String schema) {
        return PostgresLocks.builder(pool(schema))
                .testClock(clock)
                .options(options -> options.listener(this::heard))
                .build();
    }

    private void heard(LockEvent event) {
        if (event.type() == Type.ACQUIRE && event.result() == Result.FAIL) {
            refusals.incrementAndGet();
        }
    }

    private Queues queues(String schema, long lookMs) {
        return PostgresQueues.builder(pool(schema))
                .testClock(clock)
                .options(options -> options.lookInterval(Duration.ofMillis(lookMs)))
                .build();
    }

    private HikariDataSource pool(String schema) {
        PGSimpleDataSource source = TestPostgres.dataSource();
        source.setCurrentSchema(schema);
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        HikariDataSource pool = new HikariDataSource(config);
        open.add(pool);
        return pool;
    }

    private String serve(Locks locks, Queues queues) {
        LeaseholdServer server = LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), locks, queues);
        open.add(0, server);
        return Integer.toString(server.port());
    }

    private String advance(Duration by) {
        clock.advance(by);
        return "ok";
    }

    private String stopAt(long realMs) {
        clock.stopAt(realMs);
        return "ok";
    }

    private String reset() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        open.clear();
        clock = new TestClock();
        refusals.set(0);
        return "ok";
    }
}
