package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.lock.LockKey;
import java.text.Normalizer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockHashTest {
    @ParameterizedTest(name = "{1}")
    @MethodSource("vectors")
    void the_hash_is_the_one_that_other_clients_compute(String value, String expected) {
        assertThat(LockHash.of(value)).isEqualTo(expected);
    }

    static Stream<Arguments> vectors() {
        return Stream.of(
                arguments("", "000000000000000000000000"),
                arguments("\0", "000000000000000000000000"),
                arguments("a", "0000006100000123000002a7"),
                arguments("abc", "0001786200483126a9ab02ae"),
                arguments("payment:123", "a422dabee27fcc7ad506f372"),
                arguments("resource:payment:user:123", "7f126ae39761428986bf0815"),
                arguments("caf\u00e9", "002e7a21248b3503a22cdb87"),
                arguments("cafe\u0301", "002e7a21248b3503a22cdb87"),
                arguments("\u212b", "000000c50000024f00000563"),
                arguments("\u00c5", "000000c50000024f00000563"),
                arguments("A\u030a", "000000c50000024f00000563"),
                arguments("\ufb01", "0000fb010002f1030006dd07"),
                arguments("\ud83d\udd12", "001b0c75014469ff2f4d79d3"),
                arguments("key-with-emoji-\ud83d\udd12", "f3ea5595dc40e41f3d8dcc73"),
                arguments("\u30ab\u3099", "000030ac00009204000154b4"),
                arguments("\u30ac", "000030ac00009204000154b4"),
                arguments("\u043a\u043b\u044e\u0447", "01fc44ba8f7688ee389d4fd6"),
                arguments("\u1112\u1161\u11ab", "0000d55c000280140005d584"),
                arguments("\ud55c", "0000d55c000280140005d584"),
                arguments("q\u0307\u0323", "00020c750058227fc63e3a53"),
                arguments("q\u0323\u0307", "00020c750058227fc63e3a53"),
                arguments("\ud800", "0000d800000288000005e800"),
                arguments("A".repeat(22), "761621603f31b080201c6800"),
                arguments("a".repeat(512), "9b502000d9518000d5380000"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("vectors")
    void its_first_part_is_the_java_hash_of_the_normal_form(String value, String expected) {
        int first = Normalizer.normalize(value, Normalizer.Form.NFC).hashCode();
        assertThat(expected).startsWith(String.format("%08x", first));
    }

    @Test
    void it_is_24_lower_case_hexadecimal_digits_whatever_the_length() {
        assertThat(LockHash.of("x".repeat(100_000))).matches("[0-9a-f]{24}");
        assertThat(LockHash.of("")).matches("[0-9a-f]{24}");
    }

    @Test
    void a_thousand_keys_have_a_thousand_hashes() {
        assertThat(IntStream.range(0, 1000).mapToObj(i -> LockHash.of("resource:" + i)))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_well_formed_key_and_its_text_have_the_same_hash() {
        assertThat(LockKey.of("cafe\u0301").hash()).isEqualTo(LockHash.of("caf\u00e9"));
    }
}
