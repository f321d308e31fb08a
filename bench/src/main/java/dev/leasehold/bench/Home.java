package dev.leasehold.bench;

import java.nio.file.Path;

/** Where things are put: in the module's own directory, wherever the command was typed. */
public final class Home {
    /** The directory of the checkout, which the launcher tells. */
    private static final String PROPERTY = "leasehold.home";

    private Home() {}

    private static Path module() {
        return Path.of(System.getProperty(PROPERTY, ".")).resolve("bench");
    }

    static Path results() {
        return module().resolve("results");
    }

    /** Beside what is built, so on a disk and not in memory as a directory for temporary files may be. */
    static Path database() {
        return module().resolve("target")
                .resolve("database-" + ProcessHandle.current().pid());
    }

    /** Where the packages of the peers on Node are installed. */
    public static Path nodePeers() {
        return module().resolve("target").resolve("node-peers");
    }
}
