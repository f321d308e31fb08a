package dev.leasehold.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.slf4j.LoggerFactory;

/** A server on a port of its own and a schema of its own in a real PostgreSQL, with locks whose clock can be moved. */
public final class OneServer implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final TestClock clock = new TestClock();
    private final DataSource dataSource = TestPostgres.newSchema();
    private final HikariDataSource pool = new HikariDataSource();
    private final LeaseholdServer server;

    public OneServer() {
        this(options -> options);
    }

    public OneServer(UnaryOperator<ServerOptions> change) {
        this(change, LoggerFactory.getLogger("canonical")::info);
    }

    /** @param requestLog takes the lines of the request log */
    OneServer(UnaryOperator<ServerOptions> change, Consumer<String> requestLog) {
        createSchema();
        pool.setDataSource(dataSource);
        pool.setMaximumPoolSize(8);
        PostgresLocks locks = PostgresLocks.builder(pool).testClock(clock).build();
        ServerOptions options = ServerOptions.DEFAULT.address("127.0.0.1", 0);
        this.server = LeaseholdServer.start(change.apply(options), locks, PostgresQueues.create(pool), requestLog);
    }

    public void createSchema() {
        LockSchema.create(dataSource);
        QueueSchema.create(dataSource);
    }

    public TestClock clock() {
        return clock;
    }

    public long nowSeconds() {
        return Math.floorDiv(clock.getAsLong(), 1000L);
    }

    public int port() {
        return server.port();
    }

    public void execute(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The one number that a query gives. */
    public long number(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    public HttpResponse<String> post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    /** Sends a request; {@code headers} are names and values in turn. */
    public HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!body.isEmpty() && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Sends text as it is and reads until the server hangs up. */
    public String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        server.close();
        pool.close();
    }
}
