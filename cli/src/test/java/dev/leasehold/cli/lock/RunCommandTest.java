package dev.leasehold.cli.lock;

import static dev.leasehold.testkit.TestWaits.LIMIT;
import static dev.leasehold.testkit.TestWaits.await;
import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CommandProcess;
import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real commands under real locks. They write to files: this process's standard output is not theirs. */
@Tag("slow")
class RunCommandTest {
    private static MemoryLocks locks;
    private static LeaseholdServer server;

    @TempDir
    private Path directory;

    private String key = "run:" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        locks = MemoryLocks.create();
        server = LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), locks, MemoryQueues.create());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Typed run(String ttl, String script, String... options) {
        return Typed.command(words(ttl, script, options));
    }

    private CompletableFuture<Typed> inBackground(String ttl, String script, String... options) {
        return CompletableFuture.supplyAsync(() -> run(ttl, script, options));
    }

    private String[] words(String ttl, String script, String... options) {
        List<String> words = new ArrayList<>(List.of("lock", "run", key, "--url", Places.url(server), "--ttl", ttl));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return words.toArray(String[]::new);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private void awaitFile(Path file) {
        await().until(() -> Files.exists(file) && Files.size(file) > 0);
    }

    private void takeAway() {
        LockInfo held = locks.getByKey(key).orElseThrow();
        assertThat(locks.admin()
                        .forceRelease(LockKey.of(key), held.fence(), "test")
                        .join())
                .isTrue();
    }

    @Test
    void ends_as_the_command_ended_and_releases() {
        assertThat(run("30s", "exit 7").status()).isEqualTo(7);
        assertThat(run("30s", "exit 0").status()).isZero();
        assertThat(locks.isLocked(key)).isFalse();
    }

    @Test
    void a_command_that_a_signal_ended_is_told_as_shells_do() {
        assertThat(run("30s", "kill -KILL $$").status()).isEqualTo(137);
        assertThat(locks.isLocked(key)).isFalse();
    }

    @Test
    void the_command_finds_key_fence_and_lock_id_in_its_environment() throws IOException {
        Path seen = file("seen");
        String script = "echo \"$LEASEHOLD_KEY $LEASEHOLD_FENCE $LEASEHOLD_LOCK_ID\" > " + seen;
        assertThat(run("30s", script).status()).isZero();
        assertThat(Files.readString(seen)).matches(key + " \\d{15} [A-Za-z0-9_-]{22}\\R");
    }

    @Test
    void arguments_reach_the_command_as_they_are() throws IOException {
        Path seen = file("seen");
        Typed answer = Typed.command(
                "lock",
                "run",
                key,
                "--url",
                Places.url(server),
                "--",
                "sh",
                "-c",
                "printf '%s|' \"$@\" > " + seen,
                "sh",
                "--",
                "@file",
                "--json",
                "a b");
        assertThat(answer.status()).isZero();
        assertThat(Files.readString(seen)).isEqualTo("--|@file|--json|a b|");
    }

    @Test
    void when_others_hold_the_lock_nothing_is_run() {
        Path seen = file("seen");
        try (var held = locks.acquire(key)) {
            Typed answer = run("30s", "touch " + seen);
            assertThat(answer.status()).isEqualTo(ExitStatus.NOT_NOW);
            assertThat(answer.err()).contains("was not granted");
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(seen).doesNotExist();
    }

    @Test
    void waits_for_the_lock_when_asked_to() {
        CompletableFuture<Typed> answer;
        try (var held = locks.acquire(key)) {
            answer = inBackground("30s", "exit 3", "--wait", "1m");
            assertThat(answer).isNotDone();
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(3);
    }

    @Test
    void a_command_that_is_not_there_is_127_and_one_that_cannot_run_126() throws IOException {
        Path text = Files.writeString(file("text"), "no program");
        String url = Places.url(server);
        assertThat(Typed.command("lock", "run", key, "--url", url, "--", "/no/such/program")
                        .status())
                .isEqualTo(127);
        assertThat(Typed.command("lock", "run", key, "--url", url, "--", text.toString())
                        .status())
                .isEqualTo(126);
        assertThat(locks.isLocked(key)).isFalse();
    }

    @Test
    void renews_for_as_long_as_the_command_runs() {
        inSeveralTries(this::renews);
    }

    private void renews(int number) {
        key = "run:" + UUID.randomUUID();
        Path go = file("go" + number);
        Path up = file("up" + number);
        CompletableFuture<Typed> answer =
                inBackground("1s", "echo up > " + up + "; while [ ! -e " + go + " ]; do sleep 0.1; done");
        awaitFile(up);
        LockInfo before = locks.getByKey(key).orElseThrow();
        await().until(() -> answer.isDone()
                || locks.getByKey(key)
                        .map(LockInfo::expiresAt)
                        .filter(expiry -> expiry.isAfter(before.expiresAt().plusSeconds(2)))
                        .isPresent());
        assertThat(locks.getByKey(key).map(LockInfo::fence)).isEqualTo(Optional.of(before.fence()));
        assertThat(go.toFile().mkdir()).isTrue();
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(0);
    }

    @Test
    void a_lost_lock_stops_the_command_and_what_it_started() throws IOException {
        Path pid = file("pid");
        CompletableFuture<Typed> answer = inBackground("3s", "sleep 300 & echo $! > " + pid + "; wait");
        awaitFile(pid);
        takeAway();
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(ExitStatus.LOST);
        assertThat(answer.join().err()).contains("was lost");
        long sleeper = Long.parseLong(Files.readString(pid).strip());
        await().until(() ->
                ProcessHandle.of(sleeper).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void a_command_that_does_not_stop_is_killed_after_the_grace() {
        Path up = file("up");
        CompletableFuture<Typed> answer = inBackground(
                "3s", "trap '' TERM; echo up > " + up + "; while :; do sleep 0.1; done", "--grace", "200ms");
        awaitFile(up);
        takeAway();
        assertThat(answer).succeedsWithin(LIMIT).extracting(Typed::status).isEqualTo(ExitStatus.LOST);
    }

    @Test
    void a_signal_is_passed_on_and_the_lock_released() throws Exception {
        Path up = file("up");
        Path seen = file("seen");
        String script =
                "trap 'echo TERM > " + seen + "; exit 9' TERM; echo up > " + up + "; while :; do sleep 0.1; done";
        try (ChildJvm leasehold = ChildJvm.start(CommandProcess.of(words("30s", script)), file("log"))) {
            awaitFile(up);
            assertThat(leasehold.terminate(LIMIT)).isTrue();
            assertThat(leasehold.exitStatus()).isEqualTo(9);
        }
        assertThat(Files.readString(seen)).isEqualTo("TERM\n");
        assertThat(locks.isLocked(key)).isFalse();
    }
}
