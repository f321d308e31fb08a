package dev.leasehold.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Another JVM with the class path of this one. It ends with this object, or with this JVM. */
public final class ChildJvm implements AutoCloseable {
    private static final int STOP_SECONDS = 10;

    private final Process process;

    private ChildJvm(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "bench-ending"));
    }

    /**
     * Starts one that is spoken to line by line.
     *
     * @param environment what to add to the environment, such as a password
     */
    public static ChildJvm start(Class<?> main, List<String> arguments, Map<String, String> environment) {
        return start(main, arguments, environment, null);
    }

    /** Starts one that writes what it has to say to a file. */
    static ChildJvm start(
            Class<?> main, List<String> arguments, Map<String, String> environment, @Nullable Path output) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        if (output != null) {
            File file = output.toFile();
            builder.redirectOutput(file).redirectError(file);
        }
        try {
            return new ChildJvm(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("no JVM could be started for " + main.getSimpleName(), e);
        }
    }

    /** Sends it a line. */
    public void say(String line) {
        try {
            BufferedWriter writer = process.outputWriter(StandardCharsets.UTF_8);
            writer.write(line);
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the other JVM does not listen", e);
        }
    }

    /** Its next line; waits for it. */
    public String hear() {
        try {
            BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
            String line = reader.readLine();
            if (line == null) {
                throw new IllegalStateException("the other JVM has ended; what it said is above");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException("the other JVM cannot be heard", e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The processor time that it has used. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
