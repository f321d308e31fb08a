package dev.leasehold.chaos.site;

import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.testkit.proxy.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * All that a run torments: a PostgreSQL with two databases, which are the two stores of queues, a proxy before each, and the JVMs
 * of servers and clients, which know only the proxies.
 */
public final class Site implements AutoCloseable {
    /** The database of locks, of the records of queues, and of what belongs to the workloads. */
    public static final String FIRST = "leasehold";

    /** The other store of queues. */
    public static final String SECOND = "second";

    /** After how many leased items clients and servers look where leases of a partition may begin. */
    public static final String SURVEY_AFTER = "leasehold.survey-after";

    /** So few that the place moves hundreds of times in a short round. */
    public static final String SURVEY_ITEMS = "5";

    private final Path directory;
    private final Random random;
    private final Proxy first;
    private final Proxy second;
    private final List<Node> clients = new CopyOnWriteArrayList<>();
    private final List<Node> servers = new CopyOnWriteArrayList<>();
    private final List<Database> databases = new CopyOnWriteArrayList<>();
    private volatile Database database;

    private Site(Path directory, Database database, long seed) {
        this.directory = directory;
        this.random = new Random(seed);
        this.database = database;
        databases.add(database);
        this.first = Proxy.before(database.port(), seed);
        this.second = Proxy.before(database.port(), seed + 1);
    }

    /** Starts the database with its schema and the proxies, all below {@code directory}; clients and servers come later. */
    public static Site open(Path directory, long seed) {
        Database database = Database.start(directory.resolve("postgres"));
        database.execute("create database " + SECOND);
        Site site = new Site(directory, database, seed);
        LockSchema.create(site.direct(FIRST));
        QueueSchema.create(site.direct(FIRST));
        QueueSchema.create(site.direct(SECOND));
        return site;
    }

    /** A data source past the proxies. */
    public PGSimpleDataSource direct(String name) {
        return Urls.dataSource(name, database.port(), database.user(), database.password());
    }

    /** Where files of this run may be put. */
    public Path directory() {
        return directory;
    }

    /** The dice of the faults. */
    public Random random() {
        return random;
    }

    /** The present primary. */
    public Database database() {
        return database;
    }

    /** Makes another database the primary; the proxies lead there from now on. */
    public void moveTo(Database other) {
        databases.add(other);
        database = other;
        proxies().forEach(proxy -> proxy.leadTo(other.port()));
    }

    /** The ways to the first and to the second store. */
    public List<Proxy> proxies() {
        return List.of(first, second);
    }

    /** What clients and servers are told. */
    public Urls urls() {
        return new Urls(
                Urls.jdbc(FIRST, first.port()), Urls.jdbc(SECOND, second.port()), database.user(), database.password());
    }

    public List<Node> clients() {
        return clients;
    }

    public List<Node> servers() {
        return servers;
    }

    /** One of them, by the dice. */
    public <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    @Override
    public void close() {
        clients.forEach(Node::close);
        servers.forEach(Node::close);
        proxies().forEach(Proxy::close);
        databases.forEach(Database::close);
    }
}
