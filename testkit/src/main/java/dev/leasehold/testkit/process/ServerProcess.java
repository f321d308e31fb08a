package dev.leasehold.testkit.process;

import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server in a JVM of its own: {@code leasehold server}, or any main class that prints where it answers as that does. Whether it
 * becomes ready is another question, see {@link #ready()}: a test may want to know why it did not.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("answers at (http\\S+)\\s");
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ChildJvm jvm;
    private final @Nullable Path temporary;
    private volatile @Nullable URI uri;

    private ServerProcess(ChildJvm jvm, @Nullable Path temporary) {
        this.jvm = jvm;
        this.temporary = temporary;
    }

    /** Starts one; what it prints is kept until it is closed. */
    public static ServerProcess start(Program program) {
        try {
            Path log = Files.createTempFile("leasehold-server", ".log");
            return new ServerProcess(ChildJvm.start(program, log), log);
        } catch (IOException e) {
            throw new HarnessException("there is no room for the log of a server", e);
        }
    }

    /** Starts one; what it prints is appended to a file. */
    public static ServerProcess start(Program program, Path log) {
        return new ServerProcess(ChildJvm.start(program, log), null);
    }

    /** Waits until it says that it answers. */
    public ServerProcess ready() {
        try {
            uri = URI.create(jvm.awaitOutput(ADDRESS, PATIENCE).group(1));
            return this;
        } catch (HarnessException e) {
            close();
            throw e;
        }
    }

    /** The JVM that it runs in. */
    public ChildJvm jvm() {
        return jvm;
    }

    /** Where it answers. */
    public URI uri() {
        URI known = uri;
        if (known == null) {
            throw new IllegalStateException("wait until the server is ready");
        }
        return known;
    }

    /** All that it has printed. */
    public String output() {
        return jvm.output();
    }

    /** Sends a request, with a body unless {@code json} is empty, and returns the status and the body of the answer. */
    public String send(String path, String json) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri().resolve(path));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    /** Sends SIGTERM, and returns the exit status. */
    public int terminate() {
        jvm.terminate(Duration.ZERO);
        return end();
    }

    /** Waits for its end, and returns the exit status. */
    public int end() {
        if (!jvm.awaitEnd(PATIENCE)) {
            throw new HarnessException("the server does not end: " + output());
        }
        return jvm.exitStatus();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        jvm.close();
        try {
            if (temporary != null) {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new HarnessException("could not delete " + temporary, e);
        }
    }
}
