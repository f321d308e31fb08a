package dev.leasehold.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

/** A JVM that starts the embedded database, commits a row, says so, and then does nothing until it is killed. */
public final class EmbeddedProcess {
    private EmbeddedProcess() {}

    public static void main(String[] args) throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(args[0]), 0);
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("create table kept (id int)");
            statement.execute("insert into kept values (7)");
        }
        System.out.println("ready " + postgres.port());
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Runs one until it is ready, kills it the hard way, and says on which port its database listened. */
    static int startAndKill(Path dataDirectory) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EmbeddedProcess.class.getName(),
                        dataDirectory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith("ready ")) {
                    return Integer.parseInt(line.substring("ready ".length()));
                }
            }
            throw new IllegalStateException("the process ended before it was ready");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
