package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.leasehold.TestWaits;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors are those of Go's own tests, where there are any. */
class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+0, 0",
        "5s, 5000000000",
        "30s, 30000000000",
        "1478s, 1478000000000",
        "-5s, -5000000000",
        "+5s, 5000000000",
        "5.0s, 5000000000",
        "5.6s, 5600000000",
        "5.s, 5000000000",
        ".5s, 500000000",
        "1.0s, 1000000000",
        "1.00s, 1000000000",
        "1.004s, 1004000000",
        "1.0040s, 1004000000",
        "100.00100s, 100001000000",
        "10ns, 10",
        "11us, 11000",
        "12\u00b5s, 12000",
        "12\u03bcs, 12000",
        "13ms, 13000000",
        "14s, 14000000000",
        "15m, 900000000000",
        "16h, 57600000000000",
        "3h30m, 12600000000000",
        "10.5s4m, 250500000000",
        "-2m3.4s, -123400000000",
        "1h2m3s4ms5us6ns, 3723004005006",
        "39h9m14.425s, 140954425000000",
        "52763797000ns, 52763797000",
        "0.3333333333333333333h, 1200000000000",
        "0.100000000000000000000h, 360000000000",
        "0.830103483285477580700h, 2988372539827",
        "9007199254740993ns, 9007199254740993",
        "9223372036854775807ns, 9223372036854775807",
        "9223372036854775.807us, 9223372036854775807",
        "9223372036854ms775us807ns, 9223372036854775807",
        "-9223372036854775808ns, -9223372036854775808",
        "-9223372036854775.808us, -9223372036854775808",
        "-9223372036854ms775us808ns, -9223372036854775808",
        "-2562047h47m16.854775808s, -9223372036854775808",
        "0000000000000000000000000000000000000001s, 1000000000",
        "0.0000000000000000000000000000000000001s, 0"
    })
    void durations_are_read_as_go_reads_them(String text, long nanos) {
        assertThat(GoDuration.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "-",
        "+",
        "s",
        ".",
        "-.",
        ".s",
        "+.s",
        "foo",
        "--1s",
        "- 1s",
        "' 1s'",
        "9223372036854775810ns",
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "9223372036854776us",
        "3000000h",
        "9223372036854775.808us",
        "9223372036854ms775us808ns",
        "99999999999999999999",
        "3000000h1x"
    })
    void what_is_no_duration_is_invalid(String text) {
        assertRefused(text, "time: invalid duration \"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"3", "3.", "1s3", "1.2.3s", "1..5s", "5m3"})
    void a_number_has_a_unit(String text) {
        assertRefused(text, "time: missing unit in duration \"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"1d, d", "1S, S", "1m 3s, 'm '", "5sm, sm", "1m-3s, m-", "2w3d, w", "'1\"', '\\\"'", "'1\\', '\\\\'"})
    void units_are_those_from_nanoseconds_to_hours(String text, String unit) {
        String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
        assertRefused(text, "time: unknown unit \"" + unit + "\" in duration \"" + quoted + "\"");
    }

    @Test
    void what_is_not_printable_ascii_is_told_in_hex() {
        assertRefused("\n\u001f\0", "time: invalid duration \"\\x0a\\x1f\\x00\"");
        assertRefused("\u007f", "time: invalid duration \"\u007f\"");
        assertRefused("5\u00b5", "time: unknown unit \"\\xc2\\xb5\" in duration \"5\\xc2\\xb5\"");
        assertRefused("\ufffd hello", "time: invalid duration \"\\xef\\xbf\\xbd hello\"");
        assertRefused("\ud83d\udd12", "time: invalid duration \"\\xf0\\x9f\\x94\\x92\"");
        assertRefused("\u0661s", "time: invalid duration \"\\xd9\\xa1s\"");
    }

    private static void assertRefused(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GoDuration.parse(text))
                .withMessage(message);
    }

    @Test
    void a_number_of_five_million_digits_takes_no_time() {
        String digits = "9".repeat(5_000_000);
        assertTimeoutPreemptively(TestWaits.LIMIT, () -> {
            assertThatIllegalArgumentException().isThrownBy(() -> GoDuration.parse(digits + "s"));
            assertThat(GoDuration.parse("0." + digits + "s")).isEqualTo(Duration.ofSeconds(1));
            assertThat(GoDuration.parse("1ns".repeat(500_000))).isEqualTo(Duration.ofNanos(500_000));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1, 1ns",
        "999, 999ns",
        "1000, 1\u00b5s",
        "1100, 1.1\u00b5s",
        "100000, 100\u00b5s",
        "999999, 999.999\u00b5s",
        "2200000, 2.2ms",
        "300000000, 300ms",
        "999999999, 999.999999ms",
        "1000000000, 1s",
        "1500000000, 1.5s",
        "15000000000, 15s",
        "60000000000, 1m0s",
        "245000000000, 4m5s",
        "245001000000, 4m5.001s",
        "600000000000, 10m0s",
        "3600000000000, 1h0m0s",
        "18367001000000, 5h6m7.001s",
        "86400000000000, 24h0m0s",
        "480000000001, 8m0.000000001s",
        "9223372036854775807, 2562047h47m16.854775807s",
        "-9223372036854775808, -2562047h47m16.854775808s",
        "-1, -1ns",
        "-1500000000, -1.5s"
    })
    void durations_are_written_as_go_writes_them(long nanos, String text) {
        assertThat(GoDuration.format(Duration.ofNanos(nanos))).isEqualTo(text);
    }

    @Test
    void what_is_written_reads_as_it_was() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            Duration some = Duration.ofNanos(random.nextLong() >> random.nextInt(63));
            assertThat(GoDuration.parse(GoDuration.format(some))).isEqualTo(some);
        }
    }

    @Test
    void longer_ones_than_go_knows_can_be_written() {
        assertThat(GoDuration.format(Duration.ofDays(1_000_000))).isEqualTo("24000000h0m0s");
    }
}
