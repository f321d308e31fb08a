package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything works through a transaction pooler with fewer connections than clients. Needs pgbouncer to be installed. */
@Timeout(60)
class PgBouncerTest {
    private static Process pooler;
    private static PGSimpleDataSource direct;
    private static PGSimpleDataSource pooled;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> binary = Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(binary.isPresent(), "pgbouncer is not installed");
        direct = Db.withTables();
        URI server = URI.create(TestPostgres.url().substring("jdbc:".length()));
        int port = freePort();
        Path directory = Files.createTempDirectory("pgbouncer");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path ini = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                pooled = host=127.0.0.1 port=%d dbname=postgres user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.getPort(), port));
        List<String> command = new ArrayList<>(List.of(binary.get().toString(), ini.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(directory.toFile(), "log"))
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> answers(port));
        Db.execute(TestPostgres.dataSource(), "alter role postgres set search_path = " + direct.getCurrentSchema());
        pooled = TestPostgres.at("jdbc:postgresql://127.0.0.1:" + port + "/pooled?user=postgres");
    }

    @AfterAll
    static void stop() throws Exception {
        if (pooler != null) {
            Db.execute(TestPostgres.dataSource(), "alter role postgres reset search_path");
            pooler.destroy();
            pooler.waitFor(5, TimeUnit.SECONDS);
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void many_nodes_share_two_connections_and_exclude_each_other() {
        List<PostgresLocks> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(PostgresLocks.create(pooled));
        }
        try {
            List<CompletableFuture<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                PostgresLocks node = nodes.get(i % nodes.size());
                String key = "pooled:" + i;
                work.add(CompletableFuture.supplyAsync(() -> {
                    for (int round = 0; round < 20; round++) {
                        try (PostgresLock lock = node.acquire(key)) {
                            assertThat(lock.extend(Duration.ofSeconds(10))).isTrue();
                            assertThat(node.isLocked(key)).isTrue();
                        }
                    }
                    return 20;
                }));
            }
            assertThat(work.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(320);
        } finally {
            nodes.forEach(PostgresLocks::close);
        }
    }

    @Test
    void a_waiter_that_cannot_listen_gets_the_lock_soon() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.create(pooled)) {
            PostgresLock held = one.acquire("deaf");
            var waiting = other.tryAcquireAsync(AcquireRequest.of("deaf").waitFor(Duration.ofSeconds(10)));
            held.release();
            assertThat(waiting.get(3, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void a_waiter_with_a_direct_connection_beside_the_pooler_is_woken() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.builder(pooled)
                        .listenOn(direct)
                        .options(o -> o.pollInterval(Duration.ofSeconds(30)))
                        .build()) {
            PostgresLock held = one.acquire("heard");
            var waiting = other.tryAcquireAsync(AcquireRequest.of("heard").waitFor(Duration.ofSeconds(10)));
            Awaitility.await()
                    .until(() ->
                            Db.number(direct, "select count(*) from syncguard_locks_waiters where key = 'heard'") == 1);
            held.release();
            assertThat(waiting.get(3, TimeUnit.SECONDS)).isPresent();
        }
    }
}
