package dev.leasehold.cli.queue;

import static dev.leasehold.testkit.TestWaits.LIMIT;
import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CommandProcess;
import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real commands for real items. They write to files: this process's standard output is not theirs. */
@Tag("slow")
class ConsumeCommandTest {
    private static MemoryQueues queues;
    private static LeaseholdServer server;

    @TempDir
    private Path directory;

    private final String name = "consume-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        queues = MemoryQueues.create();
        server = LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), queues);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ItemQueue queue() {
        return queues.queue(name);
    }

    private void create(QueueConfig config) {
        queues.create(config);
    }

    private void produce(String... payloads) {
        for (String payload : payloads) {
            queue().produce(new NewItem(
                    payload.getBytes(StandardCharsets.UTF_8), "text", "greeting", "r-1", When.now()));
        }
    }

    private String[] words(String script, String... options) {
        List<String> words = new ArrayList<>(List.of("queue", "consume", name, "--url", Places.url(server)));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return words.toArray(String[]::new);
    }

    private Typed consume(String script, String... options) {
        return Typed.command(words(script, options));
    }

    private CompletableFuture<Typed> inBackground(String script, String... options) {
        return CompletableFuture.supplyAsync(() -> consume(script, options));
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private static void awaitFile(Path file) {
        await().until(() -> Files.exists(file) && Files.size(file) > 0);
    }

    private QueueStats.Partition partition() {
        return queue().admin().stats().partitions().get(0);
    }

    @Test
    void the_command_reads_the_payload_and_status_0_completes_the_item() throws IOException {
        create(QueueConfig.named(name));
        produce("hello\nworld");
        Path seen = file("seen");
        assertThat(consume("cat > " + seen, "--once").status()).isZero();
        assertThat(Files.readString(seen)).isEqualTo("hello\nworld");
        await().until(() -> partition().total() == 0);
    }

    @Test
    void the_command_finds_what_the_item_says_of_itself_in_its_environment() throws IOException {
        create(QueueConfig.named(name));
        produce("x");
        Path seen = file("seen");
        String script = "echo \"$LEASEHOLD_QUEUE $LEASEHOLD_ITEM_ID $LEASEHOLD_ATTEMPTS $LEASEHOLD_KIND"
                + " $LEASEHOLD_REFERENCE $LEASEHOLD_ENCODING\" > " + seen;
        assertThat(consume(script, "--once").status()).isZero();
        assertThat(Files.readString(seen)).matches(name + " [A-Za-z0-9]{27} 1 greeting r-1 text\\R");
    }

    @Test
    void another_status_has_the_item_retried_later() {
        create(QueueConfig.named(name));
        produce("x");
        Typed answer = consume("exit 3", "--once");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err()).contains("status 3").contains("attempt 1").contains("is retried in");
        assertThat(partition().total() + partition().scheduled()).isEqualTo(1);
    }

    @Test
    void an_item_that_fails_at_every_attempt_is_dead_lettered() {
        create(QueueConfig.named(name).maxAttempts(2));
        produce("poison");
        assertThat(consume("exit 1", "--limit", "2").status()).isEqualTo(ExitStatus.FAILURE);
        List<StoredItem> dead = queues.queue(name + "-dead").admin().list(ItemListing.of(0));
        assertThat(dead).hasSize(1);
    }

    @Test
    void a_limit_ends_it_after_so_many_items_and_the_others_stay_ready() {
        create(QueueConfig.named(name));
        produce("a", "b", "c", "d");
        assertThat(consume("cat > /dev/null", "--limit", "3").status()).isZero();
        await().until(() -> partition().total() == 1 && partition().totalLeased() == 0);
        assertThat(queue().admin().list(ItemListing.of(0)).get(0).attempts()).isZero();
    }

    @Test
    void several_commands_run_at_the_same_time() {
        create(QueueConfig.named(name));
        produce("a", "b");
        Path both = file("both");
        String meet = "echo x >> " + both + "; while [ $(wc -l < " + both + ") -lt 2 ]; do sleep 0.05; done";
        assertThat(inBackground(meet, "--limit", "2", "--concurrency", "2"))
                .succeedsWithin(LIMIT)
                .extracting(Typed::status)
                .isEqualTo(0);
    }

    @Test
    void a_command_that_does_not_read_its_input_is_no_failure() {
        create(QueueConfig.named(name));
        produce("x".repeat(1_000_000));
        assertThat(inBackground("exit 0", "--once"))
                .succeedsWithin(LIMIT)
                .extracting(Typed::status)
                .isEqualTo(0);
    }

    @Test
    void a_command_that_takes_too_long_is_stopped_with_what_it_started_and_the_item_retried() throws IOException {
        create(QueueConfig.named(name));
        produce("x");
        Path pid = file("pid");
        CompletableFuture<Typed> answer =
                inBackground("sleep 300 & echo $! > " + pid + "; wait", "--once", "--timeout", "1s");
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(ExitStatus.FAILURE);
        long sleeper = Long.parseLong(Files.readString(pid).strip());
        await().until(() ->
                ProcessHandle.of(sleeper).filter(ProcessHandle::isAlive).isEmpty());
        await().until(() -> partition().totalLeased() == 0);
        assertThat(partition().total() + partition().scheduled()).isEqualTo(1);
    }

    @Test
    void the_lease_is_extended_while_the_command_runs() {
        create(QueueConfig.named(name).leaseTimeout(Duration.ofSeconds(15)));
        produce("x");
        Path go = file("go");
        Path up = file("up");
        CompletableFuture<Typed> answer =
                inBackground("echo up > " + up + "; while [ ! -e " + go + " ]; do sleep 0.1; done", "--once");
        awaitFile(up);
        StoredItem before = queue().admin().list(ItemListing.of(0)).get(0);
        Instant deadline = Objects.requireNonNull(before.leaseDeadline());
        await().until(() -> queue().admin().list(ItemListing.of(0)).stream()
                .anyMatch(item ->
                        item.leaseDeadline() != null && item.leaseDeadline().isAfter(deadline.plusSeconds(2))));
        assertThat(queue().admin().list(ItemListing.of(0)).get(0).id()).isEqualTo(before.id());
        assertThat(go.toFile().mkdir()).isTrue();
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(0);
    }

    @Test
    void a_lost_lease_stops_the_command() {
        create(QueueConfig.named(name).leaseTimeout(Duration.ofSeconds(2)));
        produce("x");
        Path up = file("up");
        CompletableFuture<Typed> answer = inBackground("echo up > " + up + "; sleep 300", "--once");
        awaitFile(up);
        queue().admin()
                .delete(
                        0,
                        List.of(queue().admin().list(ItemListing.of(0)).get(0).id()));
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.join().err()).contains("was lost, stopping its command");
    }

    @Test
    void a_command_that_is_not_there_is_127_and_the_items_stay() {
        create(QueueConfig.named(name));
        produce("x");
        Typed answer = Typed.command("queue", "consume", name, "--url", Places.url(server), "--", "/no/such/program");
        assertThat(answer.status()).isEqualTo(127);
        assertThat(answer.err()).contains("could not be started");
        await().until(() -> partition().total() == 1 && partition().totalLeased() == 0);
    }

    @Test
    void a_queue_that_is_not_there_is_a_failure() {
        Typed answer = consume("exit 0", "--once");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err()).contains("no such queue named '" + name + "'");
    }

    @Test
    void wrong_numbers_are_wrong_usage() {
        assertThat(consume("exit 0", "--once", "--limit", "3").err()).contains("exclude each other");
        assertThat(consume("exit 0", "--limit", "0").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(consume("exit 0", "--concurrency", "0").status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void on_sigterm_the_command_that_runs_may_finish_and_nothing_more_is_leased() throws Exception {
        create(QueueConfig.named(name));
        produce("first", "second");
        Path go = file("go");
        Path up = file("up");
        String script = "echo up > " + up + "; while [ ! -e " + go + " ]; do sleep 0.1; done";
        try (ChildJvm leasehold = ChildJvm.start(CommandProcess.of(words(script)), file("log"))) {
            awaitFile(up);
            CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> leasehold.terminate(LIMIT));
            await().until(() -> partition().totalLeased() == 1);
            assertThat(go.toFile().mkdir()).isTrue();
            assertThat(ended).succeedsWithin(LIMIT).isEqualTo(true);
            assertThat(leasehold.exitStatus()).isZero();
        }
        await().until(() -> partition().total() == 1 && partition().totalLeased() == 0);
    }

    @Test
    void on_sigterm_a_command_that_does_not_finish_is_stopped_and_its_item_ready_again() throws Exception {
        create(QueueConfig.named(name));
        produce("x");
        Path up = file("up");
        try (ChildJvm leasehold = ChildJvm.start(
                CommandProcess.of(words("echo up > " + up + "; sleep 300", "--stop-timeout", "200ms")), file("log"))) {
            awaitFile(up);
            assertThat(leasehold.terminate(LIMIT)).isTrue();
            assertThat(leasehold.exitStatus()).isZero();
        }
        await().until(() -> partition().total() == 1 && partition().totalLeased() == 0);
    }
}
