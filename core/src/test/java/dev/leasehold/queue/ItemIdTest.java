package dev.leasehold.queue;

import static dev.leasehold.queue.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.item.ItemId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemIdTest {
    private static final String GREATEST = "aWgEPTl1tmebfsQzFP4bxwgy80V";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "000000000000000000000000000",
                "0ujsswThIGTUYm2K8FjOOfXtY1K",
                "1srOrx2ZWZBpBUvZwXKQmoEYga2",
                GREATEST
            })
    void a_ksuid_is_an_item_id(String value) {
        assertThat(new ItemId(value).value()).isEqualTo(value);
        assertThat(new ItemId(value)).hasToString(value).isEqualTo(new ItemId(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "another-invalid-id", "00000000000000000000000000", "0000000000000000000000000000"})
    void it_has_27_characters(String value) {
        assertRefused(
                () -> new ItemId(value), "invalid storage id; '" + value + "': Valid encoded KSUIDs are 27 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aWgEPTl1tmebfsQzFP4bxwgy80W",
                "aWgEPTl1tmebfsQzFP4bxwgy810",
                "b00000000000000000000000000",
                "zzzzzzzzzzzzzzzzzzzzzzzzzzz",
                "00000000000000000000000000-",
                "00000000000000000000000000 ",
                "0000000000000000000000000'\n",
                "00000000000000000000000000\u0660",
                "00000000000000000000000000\u00e9",
                "00000000000000000000000000\0"
            })
    void it_has_digits_of_base_62_and_fits_into_20_bytes(String value) {
        assertRefused(
                () -> new ItemId(value),
                "invalid storage id; '" + value + "': Valid encoded KSUIDs are bounded by"
                        + " 000000000000000000000000000 and aWgEPTl1tmebfsQzFP4bxwgy80V");
    }

    @Test
    void ids_sort_as_their_bytes_do() {
        String[] ascending = {
            "000000000000000000000000000",
            "000000000000000000000000009",
            "00000000000000000000000000A",
            "00000000000000000000000000Z",
            "00000000000000000000000000a",
            "00000000000000000000000000z",
            "000000000000000000000000010",
            GREATEST
        };
        assertThat(ascending).extracting(ItemId::new).isSorted();
    }
}
