package dev.leasehold.cli;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.server.Logging;
import dev.leasehold.cli.server.RunningServer;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold server}: runs until it is told to stop. */
@Command(
        name = "server",
        description = {
            "Start the server.",
            "With nothing configured it keeps its data in a PostgreSQL that comes along, and listens on this machine alone.",
            "Stop it with ctrl-C or SIGTERM: who waits is answered, what is under way is finished."
        },
        mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {
    @Mixin
    private ServerOptionsMixin options = new ServerOptionsMixin();

    @Override
    public Integer call() throws InterruptedException {
        Config config = options.load();
        Logging.start(config.logging().handler(), config.logging().level());
        RunningServer server = RunningServer.of(config);
        ServerShutdown shutdown = ServerShutdown.on(server);
        server.start();
        shutdown.started();
        welcome(config, server);
        new CountDownLatch(1).await();
        return 0;
    }

    /** Where the log is for machines, people are told elsewhere. */
    private static void welcome(Config config, RunningServer server) {
        PrintStream to = config.logging().handler().equals("json") ? System.err : System.out;
        server.welcome().forEach(to::println);
        to.flush();
    }
}
