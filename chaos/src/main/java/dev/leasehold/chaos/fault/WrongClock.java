package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A JVM runs with a wall clock that is wrong by hours. Its monotonic clock is right, as it is when somebody sets the time. */
final class WrongClock implements Fault {
    private static final String LIBRARY = "LEASEHOLD_FAKETIME";

    private final Node node;
    private final int hours;

    WrongClock(Node node, int hours) {
        this.node = node;
        this.hours = hours;
    }

    /** The library that tells the wrong time, if it is installed. */
    static Optional<Path> library() {
        return Stream.concat(
                        Stream.ofNullable(System.getenv(LIBRARY)),
                        Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu")
                                .map(machine -> "/usr/lib/" + machine + "/faketime/libfaketime.so.1"))
                .map(Path::of)
                .filter(Files::isReadable)
                .findFirst();
    }

    @Override
    public void begin() {
        node.restart(environment(hours));
    }

    static Map<String, String> environment(int hours) {
        return Map.of(
                "LD_PRELOAD",
                library().orElseThrow().toString(),
                "FAKETIME",
                (hours < 0 ? "" : "+") + hours + "h",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1");
    }

    @Override
    public void end() {
        node.restart(Map.of());
    }
}
