package dev.leasehold.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code leasehold} in a process of its own. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern ANSWERS = Pattern.compile("Leasehold .* answers at (http\\S+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private String url = "";

    private ServerProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "server-output");
    }

    static ServerProcess run(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            ServerProcess server = new ServerProcess(builder.start());
            server.reader.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            output.add("(the output ended: " + e.getMessage() + ")");
        }
    }

    /** Waits until it says that it answers. */
    ServerProcess ready() throws InterruptedException {
        while (url.isEmpty()) {
            for (String line : output) {
                Matcher answers = ANSWERS.matcher(line);
                if (answers.find()) {
                    url = answers.group(1);
                }
            }
            if (url.isEmpty() && !process.isAlive()) {
                throw new IllegalStateException("it ended before it answered: " + output());
            }
            Thread.sleep(20);
        }
        return this;
    }

    String url() {
        return url;
    }

    /** Sends a request, and returns the status and the body. */
    String send(String path, String json) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    /** Sends SIGTERM, and returns the exit status. */
    int terminate() throws InterruptedException {
        process.destroy();
        return end();
    }

    /** Sends SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        end();
    }

    /** Waits for its end, and returns the exit status. */
    int end() throws InterruptedException {
        int status = process.waitFor();
        reader.join();
        return status;
    }

    String output() {
        return String.join("\n", output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
