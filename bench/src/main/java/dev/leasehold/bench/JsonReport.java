package dev.leasehold.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The results as a list of objects in a file. */
final class JsonReport {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double THOUSAND = 1000;

    private JsonReport() {}

    static void write(Path file, List<Result> results) {
        try {
            Files.createDirectories(file.toAbsolutePath().resolveSibling("."));
            Files.writeString(file, text(results) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("the report could not be written to '" + file + "'", e);
        }
    }

    static String text(List<Result> results) throws IOException {
        return MAPPER.writeValueAsString(
                results.stream().map(result -> row(result, results)).toList());
    }

    private static Map<String, @Nullable Object> row(Result result, List<Result> all) {
        Measurement m = result.median();
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("scenario", result.scenario().name());
        row.put("variant", result.variant().label());
        row.put("system", result.contender().name());
        row.put("version", result.contender().version());
        row.put("concurrency", result.variant().concurrency());
        row.put("ops_per_second", rounded(m.opsPerSecond()));
        row.put("p50_ms", rounded(m.p50Ms()));
        row.put("p99_ms", rounded(m.p99Ms()));
        row.put("longest_ms", rounded(m.longestMs()));
        row.put("wal_bytes_per_op", rounded(m.walBytesPerOp()));
        row.put("round_trips_per_op", optional(m.roundTripsPerOp()));
        row.put("transactions_per_op", optional(m.transactionsPerOp()));
        row.put("transaction_ids_per_op", rounded(m.idsPerOp()));
        row.put("client_cpu_seconds", rounded(m.clientCpuSeconds()));
        row.put("database_cpu_seconds", optional(m.databaseCpuSeconds()));
        row.put("ratio_to_leasehold", optional(result.ratioToLeasehold(all)));
        row.put("seconds", rounded(m.seconds()));
        row.put("repeats", result.repeats().size());
        row.put("settings", result.contender().settings());
        row.put("extras", m.extras());
        return row;
    }

    private static @Nullable Double optional(OptionalDouble value) {
        return value.isPresent() ? Double.valueOf(rounded(value.getAsDouble())) : null;
    }

    private static double rounded(double value) {
        return Math.round(value * THOUSAND) / THOUSAND;
    }
}
