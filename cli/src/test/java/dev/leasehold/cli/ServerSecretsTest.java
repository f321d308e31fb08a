package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockId;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ServerProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What a server logs and answers when calls go wrong: no lock id, no key of a lock and no payload, at no level. */
@Timeout(180)
@Tag("slow")
class ServerSecretsTest {
    private static final String KEY = "vault:unspoken-name";
    private static final String PAYLOAD = "hunter2-payload";

    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final String url = Places.url(schema);

    /** A unique index that Leasehold does not know: PostgreSQL tells the whole key when it is violated. */
    private void refuseKeysWithTheSameBeginning() throws SQLException {
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create unique index on syncguard_locks (replace(key, '-3', ''))");
        }
    }

    private static String acquire(String key, String lockId) {
        return "{\"key\": \"" + key + "\", \"lock_id\": \"" + lockId + "\"}";
    }

    @Test
    void neither_its_log_nor_its_answers_repeat_what_is_secret() throws Exception {
        String lockId = LockId.generate().value();
        try (ServerProcess server = CommandProcess.server(
                        Map.of(), "server", "--address=127.0.0.1:0", "--log-level=debug", "--postgres-url=" + url)
                .ready()) {
            server.send("/v1/lock.acquire", acquire(KEY, lockId));
            refuseKeysWithTheSameBeginning();
            String answers = server.send("/v1/lock.acquire", acquire(KEY + "-2", lockId))
                    + server.send(
                            "/v1/lock.acquire",
                            acquire(KEY + "-3", LockId.generate().value()))
                    + server.send("/v1/lock.release", "{\"lock_id\": \"" + lockId + "=\"}")
                    + server.send("/v1/lock.acquire", acquire(KEY + "\\u0000", lockId))
                    + server.send(
                            "/v1/lock.force_release",
                            "{\"key\": \"" + KEY + "\", \"fence\": \"000000000000001\", \"reason\": \"it hangs\"}")
                    + server.send(
                            "/v1/queue.produce",
                            "{\"queue_name\": \"none\", \"request_timeout\": \"1s\"," + " \"items\": [{\"utf8\": \""
                                    + PAYLOAD + "\"}]}")
                    + server.send("/v1/queue.produce", "{\"items\": [" + PAYLOAD + "]}");
            assertThat(server.terminate()).as(server.output()).isZero();

            assertThat(answers).contains("500 ", "400 ", "455 ").doesNotContain(lockId, KEY, PAYLOAD);
            assertThat(server.output())
                    .contains("event=request_failed", "event=force_release")
                    .doesNotContain(lockId, KEY, PAYLOAD);
        }
    }
}
