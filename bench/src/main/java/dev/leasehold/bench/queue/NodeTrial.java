package dev.leasehold.bench.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import dev.leasehold.bench.Traffic;
import dev.leasehold.bench.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A script on Node that is told what to do, says when it is ready, begins with a line and ends with its figures. */
final class NodeTrial implements Trial {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MEGA = 1e6;
    private static final int PICKUPS = 100_000;

    private final Bench bench;
    private final Place place;
    private final String script;
    private final String kind;
    private final Load load;
    private @Nullable Process process;
    private @Nullable BufferedReader lines;

    NodeTrial(Bench bench, String script, String kind, Load load) {
        this.bench = bench;
        this.place = new Place(bench.database(), 1);
        this.script = script;
        this.kind = kind;
        this.load = load;
    }

    @Override
    public void prepare(Duration duration) throws Exception {
        end();
        Path directory = NodePeers.installed();
        ProcessBuilder builder = new ProcessBuilder("node", script, MAPPER.writeValueAsString(wish(duration)))
                .directory(directory.toFile())
                .redirectError(directory.resolve(script + ".log").toFile());
        builder.environment().put("PGUSER", bench.database().user());
        builder.environment().put("PGPASSWORD", bench.database().password());
        process = builder.start();
        lines = process.inputReader(StandardCharsets.UTF_8);
        next("ready");
        place.vacuum();
    }

    private Map<String, Object> wish(Duration duration) {
        double part = (double) duration.toMillis() / bench.duration().toMillis();
        int preload = (int) Math.ceil(bench.scaled(Math.max(1, load.preload())) * part);
        return Map.of(
                "url", bench.database().url().replaceFirst("^jdbc:", ""),
                "schema", place.schema(),
                "kind", kind,
                "seconds", duration.toMillis() / 1000.0,
                "items", kind.equals("pickup") ? PICKUPS : preload,
                "backlog", Steady.backlog(bench, load),
                "threads", load.producers(),
                "batch", load.batch(),
                "payloadBytes", load.payload());
    }

    private JsonNode next(String field) throws IOException {
        BufferedReader reader = lines;
        String line = reader == null ? null : reader.readLine();
        JsonNode answer = line == null ? null : MAPPER.readTree(line);
        if (answer == null || !answer.has(field)) {
            throw new IllegalStateException(
                    script + " said '" + line + "' when '" + field + "' was expected; see its log");
        }
        return answer;
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws Exception {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("prepare comes first");
        }
        try (OutputStream out = running.getOutputStream()) {
            out.write('\n');
        }
        JsonNode figures = next("done");
        if (figures.get("duplicates").asLong() > 0) {
            throw new IllegalStateException(script + " worked items twice: " + figures.get("duplicates"));
        }
        record(recorder, figures);
    }

    private void record(Recorder recorder, JsonNode figures) throws Exception {
        Tally tally = recorder.tally();
        figures.get("latencies_ms").forEach(each -> tally.add(Math.round(each.asDouble() * NANOS_PER_MILLI), 0));
        tally.count(figures.get("operations").asLong());
        recorder.elsewhere(Traffic.NONE, Math.round(figures.get("cpu_seconds").asDouble() * NANOS));
        if (kind.equals("steady")) {
            recorder.extra("tables MB", place.bytes(false) / MEGA);
            recorder.extra("indexes MB", place.bytes(true) / MEGA);
        }
    }

    private void end() throws InterruptedException {
        if (process != null && !process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        process = null;
    }

    @Override
    public void close() {
        try (place) {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
