package dev.leasehold.cli;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.ConfigLoader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that tell the server something. Each has a setting of the same meaning. */
final class ServerOptionsMixin {
    @Option(names = "--address", paramLabel = "HOST:PORT", description = "Where to listen (default 127.0.0.1:2319).")
    private @Nullable String address;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Where the embedded PostgreSQL keeps its data.")
    private @Nullable String dataDir;

    @Option(
            names = "--postgres-url",
            paramLabel = "URL",
            description = "Use this PostgreSQL: postgres://user:password@host:port/database or a JDBC URL.")
    private @Nullable String postgresUrl;

    @Option(names = "--store", paramLabel = "KIND", description = "embedded, postgres, or memory for a throw-away one.")
    private @Nullable String store;

    @Option(names = "--config", paramLabel = "FILE", description = "A file with settings: YAML, or *.properties.")
    private @Nullable Path config;

    @Option(names = "--log-level", paramLabel = "LEVEL", description = "debug, info, warn or error.")
    private @Nullable String logLevel;

    @Option(names = "--no-migrate", description = "Create no tables; stop if some are missing.")
    private boolean noMigrate;

    /** What they say, together with the environment and the file. */
    Config load() {
        return new ConfigLoader(System.getenv())
                .file(config)
                .option("address", "--address", address)
                .option("data-dir", "--data-dir", dataDir)
                .option("postgres-url", "--postgres-url", postgresUrl)
                .option("store", "--store", store)
                .option("logging.level", "--log-level", logLevel)
                .option("migrate", "--no-migrate", noMigrate ? "false" : null)
                .load();
    }
}
