package dev.leasehold.server.queue;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Counts the elements of the lists in a protobuf message without building any. */
final class RepeatedFields {
    private RepeatedFields() {}

    /** How many elements the longest list in the message itself has. */
    static int longest(byte[] body, Descriptor message) throws IOException {
        Map<Integer, Integer> counts = new HashMap<>();
        CodedInputStream input = CodedInputStream.newInstance(body);
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            FieldDescriptor field = message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (field != null && field.isRepeated()) {
                counts.merge(field.getNumber(), 1, Integer::sum);
            }
            input.skipField(tag);
        }
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
