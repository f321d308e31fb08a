package dev.leasehold.postgres.internal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A versioned .sql file that creates tables. Flyway and Liquibase can run it as it is, so it has the default names of the tables.
 *
 * @param record its first statements: they record that the version was applied, and change nothing else
 * @param text the whole file
 */
record SchemaMigration(int version, String record, String text) {
    /** The newest version that this build knows. */
    static final int NEWEST = 2;

    private static final Pattern FILE_NAME = Pattern.compile("V(\\d+)__\\w+");
    private static final Pattern QUOTED_NAME = Pattern.compile("\"\\w+\"");
    private static final String CHECKSUM_LINE = "-- The checksum is that of the text below this line.\n";

    /**
     * Reads {@code V1__locks} and the like.
     *
     * @param names the names that take the place of the default ones, both in double quotes
     */
    static SchemaMigration read(String fileName, Map<String, String> names) {
        Matcher name = FILE_NAME.matcher(fileName);
        if (!name.matches()) {
            throw new IllegalArgumentException("not the name of a migration: " + fileName);
        }
        String text = QUOTED_NAME
                .matcher(Sql.read("migrations/" + fileName, Map.of()))
                .replaceAll((MatchResult quoted) -> names.getOrDefault(quoted.group(), quoted.group()));
        return new SchemaMigration(
                Integer.parseInt(name.group(1)), text.substring(0, text.indexOf(CHECKSUM_LINE)), text);
    }

    /** The checksum of a file, which its own text contains. */
    static String checksum(String fileName) {
        String text = Sql.read("migrations/" + fileName, Map.of());
        CRC32 crc = new CRC32();
        crc.update(text.substring(text.indexOf(CHECKSUM_LINE) + CHECKSUM_LINE.length())
                .getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}
