import dev.leasehold.embedded.EmbeddedPostgres;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs every snippet twice in a row, as a program that is started twice: {@code SnippetRunner postgres DIRECTORY}, {@code SnippetRunner
 * memory -}, {@code SnippetRunner http URL}. Each run must print what the document says, and post each entry to the ledger exactly once.
 */
final class SnippetRunner {
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private static final List<Leasehold> OPENED = new CopyOnWriteArrayList<>();
    private static final StringBuffer PRINTED = new StringBuffer();
    private static String engine = "";
    private static String target = "";

    private SnippetRunner() {}

    /** A snippet of the documents: where it stands, which engines it runs on, and what it prints. */
    record Entry(String where, String engines, String prints, Supplier<Snippet> snippet) {
        boolean runsOn(String engine) {
            return List.of(engines.split(" ")).contains(engine);
        }

        /** Blocks of the reference pages are excerpts: they take a lock, a queue and a batch for granted. */
        boolean isReference() {
            return where.matches("docs/(locks|queues)\\.md:.*");
        }

        List<String> expected() {
            return prints.isEmpty() ? List.of() : List.of(prints.split(", "));
        }
    }

    public static void main(String[] args) throws Exception {
        engine = args[0];
        target = args[1];
        List<String> failures = new ArrayList<>();
        int count;
        if (engine.equals("postgres")) {
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(target), 0)) {
                count = runAll(postgres, failures);
            }
        } else {
            count = runAll(null, failures);
        }
        failures.forEach(System.err::println);
        if (!failures.isEmpty()) {
            System.exit(1);
        }
        System.out.println(count + " snippets ran twice (" + engine + ")");
    }

    private static int runAll(EmbeddedPostgres postgres, List<String> failures) throws Exception {
        int count = 0;
        for (Entry entry : AllSnippets.ALL) {
            if (entry.runsOn(engine)) {
                count++;
                PGSimpleDataSource dataSource = postgres == null ? null : schema(postgres, "snippet" + count);
                try {
                    run(entry, dataSource);
                    run(entry, dataSource);
                } catch (Exception | Error e) {
                    failures.add(entry.where + " (" + engine + "): " + e);
                    e.printStackTrace();
                }
                forget();
            }
        }
        return count;
    }

    /** A schema for each snippet, so that none meets the queues of another. */
    private static PGSimpleDataSource schema(EmbeddedPostgres postgres, String schema) throws SQLException {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(postgres.jdbcUrl());
        dataSource.setUser(postgres.applicationUser());
        dataSource.setPassword(postgres.applicationPassword());
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
        }
        dataSource.setCurrentSchema(schema);
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table ledger (entry text)");
        }
        return dataSource;
    }

    private static void run(Entry entry, PGSimpleDataSource dataSource) throws Exception {
        PrintStream out = System.out;
        PRINTED.setLength(0);
        try (Snippet snippet = entry.snippet.get()) {
            snippet.dataSource = dataSource;
            if (dataSource != null) {
                clearLedger(dataSource);
                snippet.jdbcUrl = dataSource.getURL() + "&user=" + dataSource.getUser() + "&password=" + dataSource.getPassword();
            }
            if (engine.equals("http")) {
                snippet.address = target;
                snippet.server = URI.create(target);
                snippet.another = snippet.server;
            }
            snippet.leasehold = opened(() -> PostgresLeasehold.connect(dataSource));
            snippet.leasehold.migrate();
            if (entry.isReference() && snippet.leasehold instanceof PostgresLeasehold postgres) {
                snippet.setUp(postgres);
            }
            System.setOut(new PrintStream(new Recorder(), true, StandardCharsets.UTF_8));
            snippet.run();
            await(entry, dataSource);
        } finally {
            System.setOut(out);
            OPENED.forEach(Leasehold::close);
            OPENED.clear();
        }
    }

    /** What a snippet connects to: the database that it names, or the engine that this run is about in its place. */
    static Leasehold opened(Supplier<Leasehold> postgres) {
        Leasehold leasehold =
                switch (engine) {
                    case "memory" -> MemoryLeasehold.create();
                    case "http" -> HttpLeasehold.connect(target);
                    default -> postgres.get();
                };
        OPENED.add(leasehold);
        return leasehold;
    }

    private static void await(Entry entry, PGSimpleDataSource dataSource) throws Exception {
        long start = System.nanoTime();
        List<String> missing = missing(entry, dataSource);
        while (!missing.isEmpty() && System.nanoTime() - start < LIMIT_NANOS) {
            Thread.sleep(20);
            missing = missing(entry, dataSource);
        }
        if (!missing.isEmpty()) {
            throw new AssertionError("did not print " + missing + ", but:\n" + PRINTED + ledger(dataSource));
        }
    }

    private static List<String> missing(Entry entry, PGSimpleDataSource dataSource) throws SQLException {
        String said = PRINTED.toString() + ledger(dataSource);
        return entry.expected().stream().filter(each -> !said.contains(each)).toList();
    }

    /** What was posted, one line each. */
    private static String ledger(PGSimpleDataSource dataSource) throws SQLException {
        if (dataSource == null) {
            return "";
        }
        StringBuilder lines = new StringBuilder();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select entry, count(*) from ledger group by entry")) {
            while (rows.next()) {
                if (rows.getInt(2) != 1) {
                    throw new AssertionError("posted " + rows.getInt(2) + " times: " + rows.getString(1));
                }
                lines.append("posted ").append(rows.getString(1)).append('\n');
            }
        }
        return lines.toString();
    }

    private static void clearLedger(PGSimpleDataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("truncate ledger");
        }
    }

    /** Deletes the queues of a snippet from the server, before the next one comes: a dead queue after those that name it. */
    private static void forget() {
        if (engine.equals("http")) {
            try (Leasehold leasehold = HttpLeasehold.connect(target)) {
                List<QueueInfo> infos = new ArrayList<>(leasehold.queues().list(QueueListing.DEFAULT));
                infos.sort((a, b) -> Boolean.compare(b.config().hasDeadQueue(), a.config().hasDeadQueue()));
                infos.forEach(info -> leasehold.queues().delete(info.config().name()));
            } catch (QueueException e) {
                System.err.println("queues are left behind: " + e);
            }
        }
    }

    /** Keeps what is printed. */
    private static final class Recorder extends OutputStream {
        @Override
        public void write(int b) {
            PRINTED.append((char) b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            PRINTED.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }
    }
}
