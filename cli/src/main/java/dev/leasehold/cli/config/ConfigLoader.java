package dev.leasehold.cli.config;

import dev.leasehold.cli.config.Config.Logging;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads all sources and checks what they say together. */
public final class ConfigLoader {
    private static final int MOST_PORT = 65_535;
    private static final int LEAST_BODY_BYTES = 1 << 20;
    private static final int HEAP_SHARE = 64;
    private static final List<String> HANDLERS = List.of("color", "text", "json");
    private static final List<String> LEVELS = List.of("debug", "info", "warn", "error");

    private final Map<String, String> environment;
    private final Map<String, ConfigValue> options = new LinkedHashMap<>();
    private @Nullable Path file;

    /** Begins with the environment alone. */
    public ConfigLoader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Adds an option of the command line, unless it was not given. */
    public ConfigLoader option(String key, String name, @Nullable String text) {
        if (text != null) {
            options.put(key, new ConfigValue(key, text, ConfigValue.option(name)));
        }
        return this;
    }

    /** Adds a file, unless none was given: then the environment may name one. */
    public ConfigLoader file(@Nullable Path given) {
        this.file = given;
        return this;
    }

    /** Reads; throws {@link ConfigException} for the first thing that is wrong. */
    public Config load() {
        Settings settings = Settings.over(List.of(defaults(), fromFile(), Environment.read(environment), options));
        StoreChoice choice = StoreChoice.of(settings);
        Authentication authentication = new AuthenticationReader(settings).read();
        return new Config(
                address(settings, authentication),
                settings.find("management-port")
                        .map(value -> Settings.number(value, 1, MOST_PORT))
                        .orElse(null),
                logging(settings),
                tls(settings),
                limits(settings),
                queueBounds(settings),
                authentication,
                new StorageReader(settings, choice).read(),
                labels(settings),
                new QueuesReader(settings).read(),
                settings.completed(choice));
    }

    private Map<String, ConfigValue> fromFile() {
        Path path = file;
        if (path == null) {
            path = Stream.of("LEASEHOLD_CONFIG", "QUERATOR_CONFIG")
                    .map(name -> environment.getOrDefault(name, ""))
                    .filter(text -> !text.isEmpty())
                    .findFirst()
                    .map(Path::of)
                    .orElse(null);
        }
        return path == null ? Map.of() : ConfigFile.read(path);
    }

    private Map<String, ConfigValue> defaults() {
        String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        Path data = xdg.isEmpty() ? Path.of(home, ".local", "share") : Path.of(xdg);
        String directory = data.resolve("leasehold").toString();
        return Map.of("data-dir", new ConfigValue("data-dir", directory, ConfigValue.DEFAULT));
    }

    private static Address address(Settings settings, Authentication authentication) {
        ConfigValue value = settings.find("address").orElseThrow();
        Address address = Address.parse(value);
        if (authentication.isUnconfigured() && !address.isLoopback(value)) {
            throw new ConfigException(value.where() + " '" + value.text()
                    + "' is not a loopback address, and no authentication is configured: set auth.keys, jwt.issuer or"
                    + " jwt.jwks; or, to let everybody in, authentication.disabled=true");
        }
        return address;
    }

    private static Logging logging(Settings settings) {
        ConfigValue handler = settings.find("logging.handler").orElseThrow();
        if (!HANDLERS.contains(handler.text())) {
            throw new ConfigException(
                    handler.where() + ": invalid handler; '" + handler.text() + "' is not one of (color, text, json)");
        }
        boolean isColorful = settings.isGiven("logging.handler") || isTerminal();
        return new Logging(
                isColorful ? handler.text() : "text",
                Settings.oneOf(settings.find("logging.level").orElseThrow(), LEVELS));
    }

    private static boolean isTerminal() {
        try {
            String output = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerOptions.@Nullable Tls tls(Settings settings) {
        Optional<ConfigValue> certificate = settings.find("tls.certificate");
        Optional<ConfigValue> key = settings.find("tls.key");
        if (certificate.isEmpty() && key.isEmpty()) {
            return null;
        }
        return new ServerOptions.Tls(
                readable(certificate, "tls.certificate", key), readable(key, "tls.key", certificate));
    }

    private static Path readable(Optional<ConfigValue> value, String key, Optional<ConfigValue> other) {
        ConfigValue given = value.orElseThrow(
                () -> new ConfigException(other.orElseThrow().where() + " needs " + key + " beside it"));
        Path path = Path.of(given.text());
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw Settings.wrong(given, "must be a PEM file that can be read");
        }
        return path;
    }

    private static ServerOptions.Limits limits(Settings settings) {
        ServerOptions.Limits defaults = ServerOptions.Limits.DEFAULT;
        return new ServerOptions.Limits(
                settings.number("limits.connections", defaults.connections(), 1, 10_000_000),
                settings.number("limits.header-bytes", defaults.headerBytes(), 1024, 1 << 20),
                settings.number("limits.produce-bytes", defaults.produceBytes(), 1024, 1 << 30),
                settings.find("limits.body-bytes")
                        .map(value -> (long) Settings.number(value, LEAST_BODY_BYTES, Integer.MAX_VALUE))
                        .orElse(defaults.bodyBytes()),
                settings.duration("limits.request-time", defaults.requestTime()),
                settings.duration("limits.idle-time", defaults.idleTime()));
    }

    /** By default an answer has a 64th of the heap, at most 16 MB: some are under way at once, and each is there several times over. */
    private static QueueBounds queueBounds(Settings settings) {
        QueueBounds defaults = QueueBounds.DEFAULT;
        long share = Math.min(defaults.answerBytes(), Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        int most = (int) QueueBounds.MAX_BYTES;
        int produce = limits(settings).produceBytes();
        return defaults.partitions(
                        settings.number("limits.partitions", defaults.partitions(), 1, QueueLimits.MAX_PARTITIONS))
                .answerBytes(settings.number("limits.answer-bytes", (int) share, (int) QueueBounds.MIN_BYTES, most))
                .requestBytes(Math.min(most, Math.max(defaults.requestBytes(), produce)));
    }

    private static Map<String, String> labels(Settings settings) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : List.of("env", "region", "version")) {
            settings.text("app." + label).ifPresent(text -> labels.put(label, text));
        }
        return labels;
    }
}
