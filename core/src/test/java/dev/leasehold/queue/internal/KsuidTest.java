package dev.leasehold.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KsuidTest {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String GREATEST = "aWgEPTl1tmebfsQzFP4bxwgy80V";
    private static final long[] EDGES = {0, 1, 61, 62, 0xFFFF_FFFFL, 0x1_0000_0000L, Long.MAX_VALUE, -1, Long.MIN_VALUE
    };
    private static final int[] PARTITIONS = {0, 1, 61, 62, 0x7FFF};
    private static final int[] GIVEN_BACK = {0, 1, 62, 0xFFFF};

    private final SplittableRandom random = new SplittableRandom(42);

    @Test
    void an_id_is_its_20_bytes_in_base_62() {
        for (long uid : EDGES) {
            for (int partition : PARTITIONS) {
                for (long number : EDGES) {
                    for (int givenBack : GIVEN_BACK) {
                        assertThat(Ksuid.encode(uid, partition, number, givenBack))
                                .isEqualTo(base62(uid, partition, number, givenBack));
                    }
                }
            }
        }
        for (int i = 0; i < 20_000; i++) {
            long uid = random.nextLong();
            int partition = partition();
            long number = random.nextLong();
            int givenBack = random.nextInt(0x10000);
            assertThat(Ksuid.encode(uid, partition, number, givenBack))
                    .isEqualTo(base62(uid, partition, number, givenBack));
        }
    }

    private int partition() {
        return random.nextInt(0x7FFF);
    }

    private static String base62(long uid, int partition, long number, int givenBack) {
        return base62(String.format("%016x%04x%016x%04x", uid, 0x8000 | partition, number, givenBack));
    }

    private static String base62(String hex) {
        BigInteger value = new BigInteger(hex, 16);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 27; i++) {
            BigInteger[] parts = value.divideAndRemainder(BigInteger.valueOf(62));
            text.insert(0, DIGITS.charAt(parts[1].intValue()));
            value = parts[0];
        }
        assertThat(value).isZero();
        return text.toString();
    }

    @Test
    void the_least_and_the_greatest() {
        assertThat(Ksuid.fromHex("0".repeat(40))).isEqualTo("0".repeat(27));
        assertThat(Ksuid.encode(-1, 0x7FFF, -1, 0xFFFF)).isEqualTo(GREATEST);
        assertThat(Ksuid.words("0".repeat(27))).containsExactly(0, 0, 0, 0, 0);
        assertThat(Ksuid.words(GREATEST)).containsExactly(-1, -1, -1, -1, -1);
    }

    /** The example of the KSUID project: raw 0669F7EFB5A1CD34B5F99D1154FB6853345C9735. */
    @Test
    void others_read_our_ids_and_we_theirs() {
        String theirs = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
        assertThat(Ksuid.words(theirs)).containsExactly(0x0669F7EF, 0xB5A1CD34, 0xB5F99D11, 0x54FB6853, 0x345C9735);
        assertThat(Ksuid.encode(0x0669F7EF_B5A1CD34L, 0x35F9, 0x9D1154FB_6853345CL, 0x9735))
                .isEqualTo(theirs);
        assertThat(Ksuid.fromHex(Ksuid.toHex(theirs))).isEqualTo(theirs);
    }

    @Test
    void ids_sort_as_their_numbers() {
        for (int i = 0; i < 2_000; i++) {
            long uid = random.nextLong() >>> 1;
            int partition = partition();
            long number = random.nextLong() >>> (1 + random.nextInt(62));
            long more = number + 1 + random.nextInt(100);
            String id = Ksuid.encode(uid, partition, number, random.nextInt(0xFFFF));
            assertThat(id)
                    .isLessThan(Ksuid.encode(uid, partition, number, 0xFFFF))
                    .isLessThan(Ksuid.encode(uid, partition, more))
                    .isLessThan(Ksuid.encode(uid, partition + 1, 0))
                    .isLessThan(Ksuid.encode(uid + 1, 0, 0));
        }
    }

    @Test
    void numbers_in_a_row_give_ids_in_a_row() {
        List<String> ids = new ArrayList<>();
        for (long number = 0; number < 10_000; number++) {
            ids.add(Ksuid.encode(1L << 40, 3, number));
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void an_id_tells_its_number_to_its_own_partition_alone() {
        for (int i = 0; i < 5_000; i++) {
            long uid = random.nextLong();
            int partition = partition();
            long number = random.nextLong() >>> (1 + random.nextInt(62));
            int givenBack = random.nextInt(0x10000);
            String id = Ksuid.encode(uid, partition, number, givenBack);
            assertThat(Ksuid.place(id, uid, partition)).isEqualTo(new Ksuid.Place(number, givenBack));
            assertThat(Ksuid.number(id, uid, partition)).isEqualTo(number);
            assertThat(Ksuid.number(id, uid, partition + 1)).isEqualTo(-1);
            assertThat(Ksuid.number(id, uid ^ 1, partition)).isEqualTo(-1);
            assertThat(Ksuid.number(id, uid ^ (1L << 32), partition)).isEqualTo(-1);
        }
        assertThat(Ksuid.number(Ksuid.encode(5, 0, -1), 5, 0)).isEqualTo(-1);
        assertThat(Ksuid.number(Ksuid.encode(5, 0, Long.MAX_VALUE), 5, 0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void an_older_id_with_the_partition_in_four_bytes_names_nothing() {
        for (long number : new long[] {0, 1, 0xFFFF, 0x10000, 0x10001, 1L << 40}) {
            String old = base62(String.format("%016x%08x%016x", 5, 0, number));
            assertThat(Ksuid.place(old, 5, 0)).isEqualTo(Ksuid.Place.NONE);
        }
    }

    @Test
    void what_an_id_has_no_room_for_is_refused() {
        assertThatThrownBy(() -> Ksuid.encode(1, 0x8000, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Ksuid.encode(1, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Ksuid.encode(1, 1, 1, 0x10000)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_pivot_is_the_first_number_that_is_not_less() {
        long uid = 77;
        int partition = 3;
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition, 9), uid, partition))
                .isEqualTo(9);
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition, 9, 3), uid, partition))
                .isEqualTo(9);
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition, 0), uid, partition))
                .isZero();
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition - 1, -1), uid, partition))
                .isZero();
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid - 1, 9, 9), uid, partition))
                .isZero();
        assertThat(Ksuid.firstNumberFrom("0".repeat(27), uid, partition)).isZero();
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition, -1), uid, partition))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid, partition + 1, 0), uid, partition))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Ksuid.firstNumberFrom(Ksuid.encode(uid + 1, 0, 0), uid, partition))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Ksuid.firstNumberFrom(GREATEST, uid, partition)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void every_id_that_we_make_is_one() {
        for (int i = 0; i < 2_000; i++) {
            String id = Ksuid.encode(random.nextLong(), partition(), random.nextLong());
            assertThat(Ksuid.whatIsWrongWith(id)).isEmpty();
        }
        assertThat(Ksuid.whatIsWrongWith(GREATEST)).isEmpty();
        assertThat(Ksuid.whatIsWrongWith("aWgEPTl1tmebfsQzFP4bxwgy80W"))
                .isEqualTo("Valid encoded KSUIDs are bounded by 000000000000000000000000000 and " + GREATEST);
        assertThat(Ksuid.whatIsWrongWith("")).isEqualTo("Valid encoded KSUIDs are 27 characters");
    }
}
