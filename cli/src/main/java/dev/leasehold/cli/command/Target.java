package dev.leasehold.cli.command;

import dev.leasehold.cli.config.FileProblem;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.client.HttpLocks;
import dev.leasehold.client.HttpQueues;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command works: at a server over HTTP, or directly on a PostgreSQL. */
public final class Target {
    /** Where a server listens that was told nothing. */
    public static final String DEFAULT_URL = "http://127.0.0.1:2319";

    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final List<String> VARIABLES = List.of("LEASEHOLD_URL", "QUERATOR_ENDPOINT");
    private static final String TOKEN_VARIABLE = "LEASEHOLD_TOKEN";
    private static final String PASSWORD_VARIABLE = "PGPASSWORD";

    @Option(
            names = "--url",
            paramLabel = "URL",
            order = 90,
            description = "Where to work: http://host:port, or directly on postgres://user:password@host:port/database."
                    + " Default: LEASEHOLD_URL, or " + DEFAULT_URL + ".")
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            order = 91,
            description =
                    "The key or token for the server. Default: LEASEHOLD_TOKEN, which does not show in the list of"
                            + " processes.")
    private @Nullable String token;

    @Option(names = "--token-file", paramLabel = "FILE", order = 92, description = "A file with the key or token.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            order = 93,
            description =
                    "A file with the password for the PostgreSQL. Default: PGPASSWORD, or the entry in the file that"
                            + " PGPASSFILE names, or in ~/.pgpass.")
    private @Nullable Path passwordFile;

    /** Opens the locks there. */
    public Locks locks() {
        return isPostgres()
                ? postgres().locks()
                : HttpLocks.builder(server()).token(token()).build();
    }

    /** Opens the queues there. */
    public Queues queues() {
        return isPostgres()
                ? postgres().queues()
                : HttpQueues.builder(server()).token(token()).build();
    }

    /** Whether it is a PostgreSQL. */
    public boolean isPostgres() {
        return address().startsWith("postgres:")
                || address().startsWith("postgresql:")
                || address().startsWith("jdbc:");
    }

    /** The PostgreSQL; fails if it is a server. */
    public PostgresTarget postgres() {
        if (!isPostgres()) {
            throw CliException.usage("This needs a PostgreSQL: give --url postgres://user:password@host:port/database");
        }
        return PostgresTarget.at(database(System.getenv()));
    }

    /** Without a password, the driver looks for one in the password file of libpq. */
    PostgresUrl database(Map<String, String> environment) {
        PostgresUrl database = PostgresUrl.ofOption("--url", address(environment));
        if (passwordFile != null && database.password() != null) {
            throw CliException.usage("--password-file and the password in --url exclude each other: give one of them");
        }
        String variable = environment.getOrDefault(PASSWORD_VARIABLE, "");
        if (passwordFile != null) {
            return database.password(read("password", passwordFile));
        }
        return database.password() != null || variable.isEmpty() ? database : database.password(variable);
    }

    /** The address of the server. */
    public URI server() {
        try {
            URI uri = new URI(address());
            if (!SCHEMES.contains(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT)) || uri.getHost() == null) {
                throw wrongUrl("it must begin with http://, https:// or postgres://, and name a host");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw wrongUrl(e.getReason());
        }
    }

    /** Does not repeat the address: it may contain a password. */
    private CliException wrongUrl(String why) {
        return CliException.usage((url == null ? "LEASEHOLD_URL" : "--url") + " must look like " + DEFAULT_URL
                + " or postgres://user:password@host:port/database: " + why);
    }

    private String address() {
        return address(System.getenv());
    }

    String address(Map<String, String> environment) {
        return Stream.concat(
                        Stream.ofNullable(url),
                        VARIABLES.stream().map(environment::get).filter(Objects::nonNull))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(DEFAULT_URL);
    }

    /** Whether it is a server that is sent a key or token. */
    public boolean hasToken() {
        return !isPostgres() && !token().isEmpty();
    }

    /** The key or token; empty if there is none. */
    public String token() {
        return token(System.getenv());
    }

    String token(Map<String, String> environment) {
        if (token != null && tokenFile != null) {
            throw CliException.usage("--token and --token-file exclude each other: give one of them");
        }
        if (token != null) {
            return token;
        }
        return tokenFile == null ? environment.getOrDefault(TOKEN_VARIABLE, "").strip() : read("token", tokenFile);
    }

    private static String read(String what, Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw CliException.failed(
                    "The " + what + " could not be read from " + file + ": " + FileProblem.reason(e), e);
        }
    }
}
