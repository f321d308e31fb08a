package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.bounds.Row;
import dev.leasehold.server.ServerOptions.Limits;
import dev.leasehold.spi.GoDuration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of bounds in docs/security.md; {@code BoundsWalkTest} sends what is beyond them. Those without a setting are checked by {@code FixedBoundsTest} in server. */
class BoundsTest {
    /** Defaults that depend on the machine, in words. */
    private static final Map<String, String> COMPUTED = Map.of(
            "limits.body-bytes", "an eighth of the heap",
            "limits.answer-bytes", "16 MB, or a 64th of the heap if that is less");

    @Test
    void every_row_is_complete() throws IOException {
        assertThat(Row.all())
                .hasSizeGreaterThan(10)
                .allSatisfy(row -> assertThat(List.of(row.what(), row.fallback(), row.setting(), row.beyond()))
                        .noneMatch(String::isEmpty));
    }

    @Test
    void every_setting_of_the_table_has_the_default_that_it_says() throws IOException {
        for (Row row : Row.all()) {
            String key = row.key();
            if (!key.equals("fixed")) {
                Setting setting = KnownSettings.find(key).orElseThrow(() -> new AssertionError("no setting " + key));
                String fallback = setting.fallback();
                assertThat(row.fallback())
                        .as(key)
                        .isEqualTo(fallback == null ? COMPUTED.get(key) : "`" + fallback + "`");
            }
        }
    }

    @Test
    void every_limit_is_in_the_table() throws IOException {
        List<String> documented = Row.all().stream().map(Row::key).toList();
        assertThat(KnownSettings.ALL.stream().map(Setting::key).filter(key -> key.startsWith("limits.")))
                .isSubsetOf(documented);
    }

    @Test
    void the_defaults_of_the_settings_are_those_of_the_server() {
        Limits limits = Limits.DEFAULT;
        Map<String, String> inCode = Map.of(
                "limits.connections", Integer.toString(limits.connections()),
                "limits.header-bytes", Integer.toString(limits.headerBytes()),
                "limits.produce-bytes", Integer.toString(limits.produceBytes()),
                "limits.request-time", GoDuration.format(limits.requestTime()),
                "limits.idle-time", GoDuration.format(limits.idleTime()).replaceFirst("m0s$", "m"));
        inCode.forEach((key, value) ->
                assertThat(KnownSettings.find(key).orElseThrow().fallback()).isEqualTo(value));
        assertThat(limits.bodyBytes()).isEqualTo(Runtime.getRuntime().maxMemory() / Limits.BODY_SHARE);
    }
}
