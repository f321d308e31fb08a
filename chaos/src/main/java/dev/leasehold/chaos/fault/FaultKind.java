package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.PgBouncer;
import dev.leasehold.testkit.proxy.Proxy;
import dev.leasehold.testkit.proxy.ProxyFaults;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Every fault there is, by name. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum FaultKind {
    PAUSE_CLIENT(
            "a client JVM stands still past its leases (SIGSTOP)",
            Promise.ALL,
            site -> new PauseNode(site.any(site.clients()))),
    KILL_CLIENT("a client JVM is killed (SIGKILL)", Promise.ALL, site -> new KillNode(site.any(site.clients()))),
    PAUSE_SERVER("a server JVM stands still (SIGSTOP)", Promise.ALL, site -> new PauseNode(site.any(site.servers()))),
    KILL_SERVER("a server JVM is killed (SIGKILL)", Promise.ALL, site -> new KillNode(site.any(site.servers()))),
    KILL_POSTGRES("the postmaster is killed and recovers (SIGKILL)", Promise.ALL, KillPostgres::new),
    TERMINATE_BACKENDS("the server ends sessions at random", Promise.ALL, TerminateBackends::new),
    DELAY("the network is slow and uneven", Promise.ALL, site -> network(site, faults -> faults.delay(150), false)),
    CUT_STATEMENTS(
            "connections are cut in the middle of a statement",
            Promise.ALL,
            site -> network(site, faults -> faults.cutStatements(0.05), false)),
    LOSE_REPLIES(
            "connections are cut after the commit, before its reply",
            Promise.ALL,
            site -> network(site, faults -> faults.loseReplies(0.2), false)),
    BLACK_HOLE(
            "nothing passes, and is delivered late", Promise.ALL, site -> network(site, ProxyFaults::blackHole, false)),
    BLACK_HOLE_THEN_CUT(
            "nothing passes, and is never delivered", Promise.ALL, site -> network(site, ProxyFaults::blackHole, true)),
    FULL_CONNECTIONS("the server has no connection left", Promise.ALL, FullConnections::new),
    READ_ONLY("the database is read-only", Promise.ALL, ReadOnlyDatabase::new),
    LONG_TRANSACTION("a transaction holds back vacuum", Promise.ALL, LongTransaction::new),
    LOST_PRIMARY(
            "the primary is lost, its synchronous standby promoted", Promise.ALL, site -> new LostPrimary(site, true)),
    PGBOUNCER("PgBouncer in transaction mode in between", Promise.ALL, PoolerBetween::new, FaultKind::withoutPgBouncer),
    WRONG_CLOCK(
            "a client's clock is wrong by hours (faketime)",
            Promise.ALL,
            FaultKind::wrongClock,
            FaultKind::withoutFaketime),
    CLOCK_STEP("the database's clock is put forward or back", Promise.NOT_BY_TIME, FaultKind::clockStep),
    ASYNC_STANDBY(
            "the primary is lost, its asynchronous standby promoted",
            Promise.NONE,
            site -> new LostPrimary(site, false));

    /** How much of what Leasehold promises holds in spite of it. */
    public enum Promise {
        ALL,
        /** What rests on fences, guards and ids holds; who holds by the clock alone may have company. */
        NOT_BY_TIME,
        /** What was acknowledged last may be gone. */
        NONE
    }

    private final String description;
    private final Promise promise;
    private final Function<Site, Fault> factory;
    private final Supplier<String> missing;

    FaultKind(String description, Promise promise, Function<Site, Fault> factory) {
        this(description, promise, factory, () -> "");
    }

    FaultKind(String description, Promise promise, Function<Site, Fault> factory, Supplier<String> missing) {
        this.description = description;
        this.promise = promise;
        this.factory = factory;
        this.missing = missing;
    }

    /** A new fault of this kind, on something of the site that its dice choose. */
    public Fault on(Site site) {
        return factory.apply(site);
    }

    /** The name on the command line: {@code kill-client}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind of that name. */
    public static FaultKind of(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no fault '" + text + "'; there are "
                        + String.join(
                                ", ",
                                Arrays.stream(values()).map(FaultKind::text).toList())));
    }

    public String description() {
        return description;
    }

    public Promise promise() {
        return promise;
    }

    /** What has to be installed first; empty if nothing is missing. */
    public String missing() {
        return missing.get();
    }

    /** Whether it needs something that comes with no build. */
    public boolean needsPackage() {
        return this == PGBOUNCER || this == WRONG_CLOCK;
    }

    /** Whether it needs a server JVM to torment. */
    public boolean needsServers() {
        return this == PAUSE_SERVER || this == KILL_SERVER;
    }

    /** What has to be prepared on a fresh site, before anybody connects. */
    public void prepare(Site site) {
        if (this == CLOCK_STEP) {
            ClockStep.install(site);
        }
    }

    /** On the way to both stores, or to one of them. */
    private static Fault network(Site site, Consumer<ProxyFaults> change, boolean cutsAtTheEnd) {
        List<Proxy> some = site.random().nextBoolean() ? site.proxies() : List.of(site.any(site.proxies()));
        return new NetworkFault(some, change, cutsAtTheEnd);
    }

    private static Fault wrongClock(Site site) {
        return new WrongClock(site.any(site.clients()), site.random().nextBoolean() ? 5 : -5);
    }

    private static Fault clockStep(Site site) {
        return new ClockStep(site, site.random().nextBoolean() ? 3600 : -3600);
    }

    private static String withoutPgBouncer() {
        return PgBouncer.isInstalled() ? "" : "pgbouncer is not installed";
    }

    private static String withoutFaketime() {
        return WrongClock.library().isPresent()
                ? ""
                : "libfaketime is not installed, and LEASEHOLD_FAKETIME names none";
    }
}
