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
            Scope.PROCESS,
            site -> new PauseNode(site.any(site.clients()))),
    KILL_CLIENT("a client JVM is killed (SIGKILL)", Scope.PROCESS, site -> new KillNode(site.any(site.clients()))),
    PAUSE_SERVER("a server JVM stands still (SIGSTOP)", Scope.PROCESS, site -> new PauseNode(site.any(site.servers()))),
    KILL_SERVER("a server JVM is killed (SIGKILL)", Scope.PROCESS, site -> new KillNode(site.any(site.servers()))),
    KILL_POSTGRES("the postmaster is killed and recovers (SIGKILL)", Scope.SERVER, KillPostgres::new),
    TERMINATE_BACKENDS("the server ends sessions at random", Scope.SERVER, TerminateBackends::new),
    STOPPED_BACKEND("the backend of one session stands still (SIGSTOP)", Scope.SERVER, StoppedBackend::new),
    DELAY(
            "the network is slow and uneven",
            Scope.NETWORK,
            site -> network(site, faults -> faults.delay(150), faults -> faults.delay(0))),
    CUT_STATEMENTS(
            "connections are cut in the middle of a statement",
            Scope.NETWORK,
            site -> network(site, faults -> faults.cutStatements(0.05), faults -> faults.cutStatements(0))),
    LOSE_REPLIES(
            "connections are cut after the commit, before its reply",
            Scope.NETWORK,
            site -> network(site, faults -> faults.loseReplies(0.2), faults -> faults.loseReplies(0))),
    BLACK_HOLE(
            "nothing passes, and is delivered late",
            Scope.NETWORK,
            site -> network(site, ProxyFaults::blackHole, ProxyFaults::endBlackHole)),
    BLACK_HOLE_THEN_CUT("nothing passes, and is never delivered", Scope.NETWORK, FaultKind::blackHoleThenCut),
    FULL_CONNECTIONS("the server has no connection left", Scope.SERVER, FullConnections::new),
    FULL_LOCKS("the server's table of locks is full", Scope.SERVER, FullLocks::new),
    FULL_NOTIFY_QUEUE(
            "the queue of notifications is full", Scope.SERVER, FullNotifyQueue::new, FullNotifyQueue::missing),
    FULL_DISK("tables cannot grow, as on a full disk", Scope.SERVER, FullDisk::new, FullDisk::missing),
    READ_ONLY("the database is read-only", Scope.SERVER, ReadOnlyDatabase::new),
    ROLE_DEFAULTS("the role has other defaults: isolation, timeouts, search path", Scope.SERVER, RoleDefaults::new),
    STALLED_COMMIT("commits wait for a standby that is not there", Scope.SERVER, StalledCommit::new),
    DDL_LOCKS("tables are locked exclusively, now and then", Scope.SERVER, DdlLocks::new),
    LONG_TRANSACTION("a transaction holds back vacuum", Scope.SERVER, LongTransaction::new),
    LOST_PRIMARY(
            "the primary is lost, its synchronous standby promoted", Scope.SERVER, site -> new LostPrimary(site, true)),
    PGBOUNCER(
            "PgBouncer in transaction mode in between", Scope.NETWORK, PoolerBetween::new, FaultKind::withoutPgBouncer),
    WRONG_CLOCK(
            "a client's clock is wrong by hours (faketime)",
            Scope.PROCESS,
            FaultKind::wrongClock,
            FaultKind::withoutFaketime),
    CLOCK_STEP("the database's clock is put forward or back", Scope.SERVER, FaultKind::clockStep),
    ASYNC_STANDBY(
            "the primary is lost, its asynchronous standby promoted",
            Scope.SERVER,
            site -> new LostPrimary(site, false));

    /** What goes wrong: two faults of the server at once would be in each other's way. */
    public enum Scope {
        /** A JVM of a client or a server. */
        PROCESS,
        /** The way between clients and database. */
        NETWORK,
        /** PostgreSQL itself. */
        SERVER
    }

    /** How much of what Leasehold promises holds in spite of it. */
    public enum Promise {
        ALL,
        /** What rests on fences, guards and ids holds; who holds by the clock alone may have company. */
        NOT_BY_TIME,
        /** What was acknowledged last may be gone. */
        NONE
    }

    private final String description;
    private final Scope scope;
    private final Function<Site, Fault> factory;
    private final Supplier<String> missing;

    FaultKind(String description, Scope scope, Function<Site, Fault> factory) {
        this(description, scope, factory, () -> "");
    }

    FaultKind(String description, Scope scope, Function<Site, Fault> factory, Supplier<String> missing) {
        this.description = description;
        this.scope = scope;
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
        return switch (this) {
            case CLOCK_STEP -> Promise.NOT_BY_TIME;
            case ASYNC_STANDBY -> Promise.NONE;
            default -> Promise.ALL;
        };
    }

    public Scope scope() {
        return scope;
    }

    /** Whether both can be held at the same time, and are more than either of them. */
    public boolean goesWith(FaultKind other) {
        boolean isBlackHole = this == BLACK_HOLE || this == BLACK_HOLE_THEN_CUT;
        boolean isOtherBlackHole = other == BLACK_HOLE || other == BLACK_HOLE_THEN_CUT;
        return this != other
                && !(scope == Scope.SERVER && other.scope == Scope.SERVER)
                && !(isBlackHole && isOtherBlackHole);
    }

    /** Whether what ends it needs a database that answers: a server JVM does not start without. */
    public boolean endsLast() {
        return this == KILL_SERVER;
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

    private static Fault network(Site site, Consumer<ProxyFaults> change, Consumer<ProxyFaults> undo) {
        return new NetworkFault(someProxies(site), change, undo, false);
    }

    private static Fault blackHoleThenCut(Site site) {
        return new NetworkFault(someProxies(site), ProxyFaults::blackHole, ProxyFaults::endBlackHole, true);
    }

    /** On the way to both stores, or to one of them. */
    private static List<Proxy> someProxies(Site site) {
        return site.random().nextBoolean() ? site.proxies() : List.of(site.any(site.proxies()));
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
