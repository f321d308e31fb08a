package dev.leasehold.cli.queue;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for queues, wherever they work. */
abstract class QueueCommands {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String queue = "q-" + UUID.randomUUID();

    /** Where the queues are. */
    abstract String url();

    private String[] words(String verb, String... more) {
        List<String> words = new ArrayList<>(List.of("queue", verb));
        words.addAll(List.of(more));
        return Typed.at(url(), words.toArray(String[]::new));
    }

    private Typed queue(String verb, String... more) {
        return Typed.command(words(verb, more));
    }

    private static JsonNode json(Typed answer) throws JsonProcessingException {
        assertThat(answer.status()).as(answer.err()).isZero();
        return JSON.readTree(answer.out());
    }

    private static String payload(JsonNode item) throws IOException {
        return new String(item.get("bytes").binaryValue(), StandardCharsets.UTF_8);
    }

    private JsonNode leased(String... more) throws JsonProcessingException {
        List<String> words = new ArrayList<>(List.of(queue, "--timeout", "10s", "--json"));
        words.addAll(List.of(more));
        return json(queue("lease", words.toArray(String[]::new)));
    }

    @Test
    void create_tells_what_it_made_and_items_never_expire() throws JsonProcessingException {
        Typed answer = queue("create", queue, "--lease-timeout", "2m", "--json");
        assertThat(answer.err())
                .isEqualToIgnoringNewLines("Successfully created queue '" + queue
                        + "' (partitions: 1, lease-timeout: 2m0s, expire-timeout: never)");
        assertThat(json(answer).get("expire_timeout").asText()).isEqualTo("2562047h0m0s");
        assertThat(json(queue("info", queue, "--json")).get("lease_timeout").asText())
                .isEqualTo("2m0s");
    }

    @Test
    void a_second_queue_of_the_same_name_is_a_failure() {
        queue("create", queue);
        Typed second = queue("create", queue);
        assertThat(second.status()).isNotZero();
        assertThat(second.err()).contains("already exists");
    }

    @Test
    void update_keeps_what_is_not_given() throws JsonProcessingException {
        queue("create", queue, "--max-attempts", "5", "--reference", "ours", "--partitions", "2");
        Typed answer = queue("update", queue, "--lease-timeout", "5m", "--json");
        assertThat(answer.err()).contains("Successfully updated queue '" + queue + "'");
        JsonNode info = json(queue("info", queue, "--json"));
        assertThat(info.get("max_attempts").asInt()).isEqualTo(5);
        assertThat(info.get("reference").asText()).isEqualTo("ours");
        assertThat(info.get("requested_partitions").asInt()).isEqualTo(2);
        assertThat(info.get("lease_timeout").asText()).isEqualTo("5m0s");
        assertThat(info.get("expire_timeout").asText()).isEqualTo("2562047h0m0s");
        assertThat(info.get("dead_queue").asText()).isEqualTo(queue + "-dead");
    }

    @Test
    void a_queue_that_discards_dead_items_has_no_dead_queue() throws JsonProcessingException {
        queue("create", queue, "--max-attempts", "5", "--discard-dead", "--expire-timeout", "2h");
        JsonNode info = json(queue("info", queue, "--json"));
        assertThat(info.get("dead_queue").asText()).isEmpty();
        assertThat(info.get("expire_timeout").asText()).isEqualTo("2h0m0s");
        queue("update", queue, "--expire-timeout", "never");
        assertThat(queue("info", queue).out()).containsPattern("expire timeout: +never");
    }

    @Test
    void a_dead_queue_and_none_contradict_each_other() {
        Typed answer = queue("create", queue, "--dead-queue", "other", "--discard-dead");
        assertThat(answer.status()).isNotZero();
        assertThat(answer.err()).contains("discardDead and the dead queue 'other' contradict each other");
    }

    @Test
    void an_update_of_nothing_is_wrong_usage() {
        Typed answer = queue("update", queue);
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("no update flags provided (use --help to see available options)");
    }

    @Test
    void list_shows_queues_from_the_pivot_on() throws JsonProcessingException {
        queue("create", queue);
        JsonNode page = json(queue("list", "--pivot", queue, "--limit", "1", "--json"));
        assertThat(page.get("count").asInt()).isEqualTo(1);
        assertThat(page.get("queues").get(0).get("queue_name").asText()).isEqualTo(queue);
        Typed table = queue("list", "--pivot", queue, "--limit", "1");
        assertThat(table.out()).contains("QUEUE").contains(queue);
        assertThat(table.err()).contains("Found 1 queue(s)");
    }

    @Test
    void delete_takes_the_queue_away() {
        queue("create", queue);
        assertThat(queue("delete", queue, "--force").err()).contains("Successfully deleted queue '" + queue + "'");
        Typed gone = queue("info", queue);
        assertThat(gone.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(gone.err()).contains("no such queue named '" + queue + "'");
    }

    @Test
    void what_is_produced_is_leased_and_completed() throws IOException {
        queue("create", queue);
        Typed produced =
                queue("produce", queue, "-p", "hello", "--kind", "greeting", "--reference", "r", "--encoding", "text");
        assertThat(produced.status()).as(produced.err()).isZero();
        assertThat(produced.err()).contains("Successfully produced item with payload of 5 bytes");
        JsonNode batch = leased();
        JsonNode item = batch.get("items").get(0);
        assertThat(batch.get("queue_name").asText()).isEqualTo(queue);
        assertThat(payload(item)).isEqualTo("hello");
        assertThat(item.get("kind").asText()).isEqualTo("greeting");
        assertThat(item.get("attempts").asInt()).isEqualTo(1);
        Typed completed = queue(
                "complete",
                queue,
                "--partition",
                batch.get("partition").asText(),
                item.get("id").asText());
        assertThat(completed.err()).contains("Successfully completed 1 item(s) in queue '" + queue + "' partition 0");
        Typed again = queue("complete", queue, "-p", "0", item.get("id").asText());
        assertThat(again.status()).isEqualTo(ExitStatus.FAILURE);
    }

    @Test
    void an_empty_queue_is_not_now() {
        queue("create", queue);
        Typed answer = queue("lease", queue, "--timeout", "50ms", "--json");
        assertThat(answer.status()).isEqualTo(ExitStatus.NOT_NOW);
        assertThat(answer.out()).contains("\"items\":[]");
    }

    @Test
    void lease_with_complete_leaves_nothing_behind() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "one");
        Typed answer = queue("lease", queue, "--complete");
        assertThat(answer.out()).contains("PAYLOAD").contains("one");
        assertThat(answer.err())
                .contains("Successfully leased 1 item(s) from queue '" + queue + "'")
                .contains("Successfully completed 1 item(s)");
        assertThat(json(queue("items", queue, "--json")).get("items")).isEmpty();
    }

    @Test
    void a_payload_can_come_by_standard_input_or_from_a_file(@TempDir Path directory) throws IOException {
        queue("create", queue);
        Path file = Files.writeString(directory.resolve("payload"), "from file\n");
        assertThat(Typed.withInput("from input", words("produce", queue)).status())
                .isZero();
        assertThat(queue("produce", queue, "--file", file.toString()).status()).isZero();
        JsonNode items = leased("--batch-size", "2").get("items");
        assertThat(payload(items.get(0))).isEqualTo("from input");
        assertThat(payload(items.get(1))).isEqualTo("from file\n");
    }

    @Test
    void every_line_is_an_item_in_its_order() throws IOException {
        queue("create", queue);
        String input = IntStream.range(0, 2500).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
        Typed answer = Typed.withInput(input, words("produce", queue, "--lines", "--json"));
        assertThat(json(answer).get("count").asInt()).isEqualTo(2500);
        assertThat(answer.err()).contains("Successfully produced 2500 items");
        JsonNode items = leased("--batch-size", "1000").get("items");
        assertThat(payload(items.get(0))).isEqualTo("line 0");
        assertThat(payload(items.get(999))).isEqualTo("line 999");
    }

    @Test
    void a_batch_that_fails_says_how_many_were_produced() {
        Typed answer = Typed.withInput("a\nb\n", words("produce", queue, "--lines"));
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err()).contains("Stopped after 0 items").contains("no such queue");
    }

    @Test
    void retry_gives_another_turn_later() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "again");
        String id = leased().get("items").get(0).get("id").asText();
        Typed retried = queue("retry", queue, "-p", "0", "--at", "2099-01-01T00:00:00Z", id);
        assertThat(retried.err()).contains("Successfully retried 1 item(s)");
        JsonNode scheduled = json(queue("scheduled", queue, "--json")).get("items");
        assertThat(scheduled).hasSize(1);
        assertThat(queue("scheduled", queue).out()).contains("READY AT").contains("again");
    }

    @Test
    void retry_takes_one_moment_only() {
        Typed answer = queue("retry", queue, "-p", "0", "--after", "1m", "--dead", "2f0kKDzXDqLYxyZWhvZFSJdDDdb");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("exclude each other");
    }

    @Test
    void extend_tells_the_new_deadline() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "slow");
        JsonNode item = leased().get("items").get(0);
        Typed extended = queue(
                "extend",
                queue,
                "-p",
                "0",
                "--lease-timeout",
                "30m",
                item.get("id").asText(),
                "--json");
        assertThat(json(extended).get("lease_deadline").asText())
                .isGreaterThan(item.get("lease_deadline").asText());
    }

    @Test
    void scheduled_items_wait_and_are_counted() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "later", "--enqueue-at", "2099-01-01T00:00:00Z");
        queue("produce", queue, "-p", "now");
        JsonNode partition = json(queue("stats", queue, "--json"))
                .get("logical_queues")
                .get(0)
                .get("partitions")
                .get(0);
        assertThat(partition.get("total").asInt()).isEqualTo(1);
        assertThat(partition.get("scheduled").asInt()).isEqualTo(1);
        assertThat(queue("stats", queue).out()).contains("PARTITION").contains("SCHEDULED");
    }

    @Test
    void clear_deletes_what_it_is_told_to() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "now");
        queue("produce", queue, "-p", "later", "--enqueue-at", "2099-01-01T00:00:00Z");
        assertThat(queue("clear", queue).status()).isEqualTo(ExitStatus.USAGE);
        assertThat(queue("clear", queue, "--ready", "--yes").err())
                .contains("Successfully cleared queue '" + queue + "'");
        assertThat(json(queue("items", queue, "--json")).get("items")).isEmpty();
        assertThat(json(queue("scheduled", queue, "--json")).get("items")).hasSize(1);
    }

    @Test
    void before_a_queue_is_deleted_the_user_is_asked_and_told_how_many_items_it_has() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "now");
        queue("produce", queue, "-p", "later", "--enqueue-at", "2099-01-01T00:00:00Z");
        String question = "Delete the queue '" + queue + "' with 2 items (1 ready, 0 leased, 1 scheduled)?";
        Typed refused = queue("delete", queue);
        assertThat(refused.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(refused.err())
                .isEqualToIgnoringNewLines(
                        "leasehold: " + question + " There is no terminal to ask at: repeat it with --yes");
        Typed no = Typed.answering("n", words("delete", queue));
        assertThat(no.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(no.err()).contains("Nothing was deleted").endsWith(question + " [y/N] ");
        assertThat(json(queue("info", queue, "--json")).get("queue_name").asText())
                .isEqualTo(queue);
        Typed yes = Typed.answering("Yes", words("delete", queue));
        assertThat(yes.err()).contains("Successfully deleted queue '" + queue + "' with 2 items");
        assertThat(queue("info", queue).status()).isEqualTo(ExitStatus.FAILURE);
    }

    @Test
    void before_items_are_cleared_the_user_is_asked_and_told_how_many() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "one");
        queue("produce", queue, "-p", "two");
        leased();
        assertThat(queue("clear", queue, "--ready").err())
                .contains("Delete 1 item of the queue '" + queue + "'? There is no terminal");
        assertThat(Typed.answering("", words("clear", queue, "--ready", "--destructive"))
                        .err())
                .endsWith("Delete 2 items of the queue '" + queue + "'? [y/N] ");
        assertThat(json(queue("items", queue, "--json")).get("items")).hasSize(2);
        assertThat(Typed.answering("y", words("clear", queue, "--ready", "--destructive"))
                        .status())
                .isZero();
        assertThat(json(queue("items", queue, "--json")).get("items")).isEmpty();
    }

    @Test
    void list_and_stats_show_how_many_items_there_are_and_the_age_of_the_oldest() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "one");
        queue("produce", queue, "-p", "two");
        queue("produce", queue, "-p", "later", "--enqueue-at", "2099-01-01T00:00:00Z");
        leased();
        JsonNode listed = json(queue("list", "--pivot", queue, "--limit", "1", "--json"))
                .get("queues")
                .get(0);
        assertThat(listed.get("ready").asInt()).isEqualTo(1);
        assertThat(listed.get("leased").asInt()).isEqualTo(1);
        assertThat(listed.get("scheduled").asInt()).isEqualTo(1);
        assertThat(listed.get("oldest_ready").asText()).endsWith("s");
        assertThat(queue("list", "--pivot", queue, "--limit", "1").out())
                .containsPattern("QUEUE +READY +LEASED +SCHEDULED +OLDEST")
                .containsPattern(queue + " +1 +1 +1 +\\d+ s ");
        assertThat(queue("stats", queue).out()).contains("OLDEST").containsPattern("0 +1 +1 +1 +\\d+ s ");
    }

    @Test
    void items_can_be_deleted_whether_leased_or_not() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "leased");
        queue("produce", queue, "-p", "ready");
        queue("produce", queue, "-p", "stays");
        String leased = leased().get("items").get(0).get("id").asText();
        String ready = json(queue("items", queue, "--json"))
                .get("items")
                .get(1)
                .get("id")
                .asText();
        assertThat(queue("delete-items", queue, "-p", "0", leased, ready).err())
                .contains("Successfully deleted 2 item(s) in queue '" + queue + "' partition 0");
        assertThat(json(queue("items", queue, "--json")).get("items")).hasSize(1);
    }

    @Test
    void an_item_that_is_given_back_is_leased_again_and_the_attempt_does_not_count() throws JsonProcessingException {
        queue("create", queue);
        queue("produce", queue, "-p", "again");
        String id = leased().get("items").get(0).get("id").asText();
        assertThat(queue("give-back", queue, "-p", "0", id).err()).contains("Successfully given back 1 item(s)");
        JsonNode again = leased().get("items").get(0);
        assertThat(again.get("attempts").asInt()).isEqualTo(1);
    }

    @Test
    void watch_shows_stats_again_as_documents() throws InterruptedException {
        queue("create", queue);
        StringWriter out = new StringWriter();
        Thread watching = new Thread(() -> Typed.into(out, words("stats", queue, "--watch=200ms", "--json")));
        watching.start();
        await().until(() -> out.toString().lines().count() > 1);
        watching.interrupt();
        watching.join();
        assertThat(out.toString().lines()).allMatch(line -> line.startsWith("{\"queue_name\":"));
    }

    @Test
    void ids_can_come_from_a_file(@TempDir Path directory) throws IOException {
        queue("create", queue);
        queue("produce", queue, "-p", "one");
        queue("produce", queue, "-p", "two");
        JsonNode items = leased("-b", "2").get("items");
        Path ids = Files.writeString(
                directory.resolve("ids"),
                items.get(0).get("id").asText() + "\n\n"
                        + items.get(1).get("id").asText() + "\n");
        assertThat(queue("complete", queue, "-p", "0", "--file", ids.toString()).err())
                .contains("Successfully completed 2 item(s)");
    }

    @Test
    void without_ids_or_with_one_that_is_none_it_is_wrong_usage() {
        assertThat(queue("complete", queue, "-p", "0").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(queue("complete", queue, "-p", "0", "nonsense").status()).isEqualTo(ExitStatus.USAGE);
    }
}
