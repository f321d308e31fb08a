package dev.leasehold.testkit.process;

import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM with the class path of this one. It can be spoken to line by line, paused, resumed and killed. It ends with this
 * object, or with this JVM.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long DUMP_MILLIS = 500;

    private final Process process;
    private final @Nullable Path log;

    private ChildJvm(Process process, @Nullable Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * What to start.
     *
     * @param environment variables beside those of this process
     * @param options of the JVM
     */
    public record Program(
            String mainClass, List<String> arguments, Map<String, String> environment, List<String> options) {
        /** Small and quick to start: many run side by side on little machines. */
        private static final List<String> SMALL =
                List.of("-Xmx160m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

        public Program {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
            options = List.copyOf(options);
        }

        /** A program with its arguments. */
        public static Program of(Class<?> main, String... arguments) {
            return new Program(main.getName(), List.of(arguments), Map.of(), SMALL);
        }

        /** The same program with these environment variables. */
        public Program environment(Map<String, String> variables) {
            return new Program(mainClass, arguments, variables, options);
        }

        /** With other options of the JVM than the usual ones. */
        public Program options(String... words) {
            return new Program(mainClass, arguments, environment, List.of(words));
        }

        /** With a system property more. */
        public Program property(String name, String value) {
            List<String> more = new ArrayList<>(options);
            more.add("-D" + name + "=" + value);
            return new Program(mainClass, arguments, environment, more);
        }

        private List<String> command() {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options);
            command.add("-cp");
            command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")));
            command.add(mainClass);
            command.addAll(arguments);
            return command;
        }
    }

    /** Those that run: they end with this JVM. */
    private static final class Running {
        static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();

        static {
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> PROCESSES.forEach(Process::destroyForcibly), "child-jvms-ending"));
        }

        static Process add(Process process) {
            PROCESSES.removeIf(other -> !other.isAlive());
            PROCESSES.add(process);
            return process;
        }
    }

    /** Starts one whose lines are read here. What it complains about goes to the complaints of this JVM. */
    public static ChildJvm start(Program program) {
        return new ChildJvm(
                start(program, new ProcessBuilder(program.command()).redirectError(Redirect.INHERIT)), null);
    }

    /** Starts one whose output goes to a file, after what is in it. */
    public static ChildJvm start(Program program, Path log) {
        ProcessBuilder builder = new ProcessBuilder(program.command())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        return new ChildJvm(start(program, builder), log);
    }

    private static Process start(Program program, ProcessBuilder builder) {
        builder.environment().putAll(program.environment());
        try {
            return Running.add(builder.start());
        } catch (IOException e) {
            throw new HarnessException("could not start a JVM for " + program.mainClass(), e);
        }
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends it a line. */
    public void say(String line) {
        try {
            BufferedWriter writer = process.outputWriter(StandardCharsets.UTF_8);
            writer.write(line);
            writer.newLine();
            writer.flush();
        } catch (IOException e) {
            throw new HarnessException("process " + pid() + " does not listen", e);
        }
    }

    /** Its next line; waits for it. */
    public String hear() {
        try {
            String line = reader().readLine();
            if (line == null) {
                throw new HarnessException("process " + pid() + " has ended before it said anything more");
            }
            return line;
        } catch (IOException e) {
            throw new HarnessException("process " + pid() + " cannot be heard", e);
        }
    }

    /** All its lines from now on, until it ends. */
    public Stream<String> lines() {
        return reader().lines();
    }

    private BufferedReader reader() {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    /** Waits until its log contains {@code text}; returns that. */
    public MatchResult awaitOutput(Pattern text, Duration atMost) {
        Polling.await("'" + text + "' in " + log, atMost, () -> {
            boolean isAlive = isAlive(); // before the log is read: the last words count
            boolean isSaid = text.matcher(output()).find();
            if (!isSaid && !isAlive) {
                throw new HarnessException("a JVM ended before it said '" + text + "': " + output());
            }
            return isSaid;
        });
        Matcher matcher = text.matcher(output());
        matcher.find();
        return matcher.toMatchResult();
    }

    /** All that is in its log. */
    public String output() {
        if (log == null) {
            throw new IllegalStateException("this JVM has no log: its lines are read one by one");
        }
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new HarnessException("could not read " + log, e);
        }
    }

    /** The processor time that it has used. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** SIGSTOP. */
    public void pause() {
        Signals.pause(pid());
    }

    /** SIGCONT. */
    public void resume() {
        Signals.resume(pid());
    }

    /** SIGQUIT: it prints what all its threads do. */
    public void dumpThreads() {
        Signals.quit(pid());
        Polling.sleep(DUMP_MILLIS);
    }

    /** SIGKILL, and no more: what it has said can still be read. */
    public void killNow() {
        Signals.kill(pid());
    }

    /** SIGKILL; returns when it has ended. */
    public void kill() {
        killNow();
        awaitEnd(PATIENCE);
    }

    /** SIGTERM; returns whether it has ended in time. */
    public boolean terminate(Duration atMost) {
        process.toHandle().destroy();
        return awaitEnd(atMost);
    }

    /** Closes its input. */
    public void hangUp() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new HarnessException("could not close the input of process " + pid(), e);
        }
    }

    /** Whether it ends in time. */
    public boolean awaitEnd(Duration atMost) {
        try {
            return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }

    /** The exit status, once the process has ended. */
    public int exitStatus() {
        return process.exitValue();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
