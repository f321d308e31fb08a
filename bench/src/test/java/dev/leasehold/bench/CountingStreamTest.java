package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountingStreamTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 8192})
    void every_time_the_database_is_ready_counts_however_the_bytes_come(int chunk) throws IOException {
        Traffic before = CountingSocketFactory.counted();
        InputStream stream = new CountingSocketFactory.CountingStream(new ByteArrayInputStream(messages()));
        byte[] buffer = new byte[chunk];
        while (stream.read(buffer, 0, chunk) > 0) {
            // the count is what matters
        }
        assertThat(CountingSocketFactory.counted().minus(before)).isEqualTo(new Traffic(3, 2));
    }

    /** Three answers, the second of them within a transaction. A row that looks like the end of an answer is none. */
    private static byte[] messages() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        message(out, 'D', new byte[] {'Z', 0, 0, 0, 5, 'I'});
        message(out, 'Z', new byte[] {'I'});
        message(out, '1', new byte[0]);
        message(out, '2', new byte[0]);
        message(out, 'D', new byte[1000]);
        message(out, 'Z', new byte[] {'T'});
        message(out, 'C', "COMMIT\0".getBytes(StandardCharsets.US_ASCII));
        message(out, 'Z', new byte[] {'I'});
        return bytes.toByteArray();
    }

    private static void message(DataOutputStream out, char type, byte[] content) throws IOException {
        out.writeByte(type);
        out.writeInt(content.length + Integer.BYTES);
        out.write(content);
    }
}
