package dev.leasehold.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The rates of a scenario as bars in an SVG, readable on light and on dark paper. */
final class Chart {
    private static final int WIDTH = 760;
    private static final int LABELS = 250;
    private static final int NUMBERS = 170;
    private static final int BAR = 18;
    private static final int ROW = 24;
    private static final int HEAD = 34;
    private static final int VARIANT_HEAD = 30;

    private static final String STYLE = """
              <style>
                text { font: 13px sans-serif; fill: #24292f; }
                .title { font-weight: bold; font-size: 15px; }
                .variant { font-weight: bold; }
                .bar { fill: #8c959f; }
                .leasehold { fill: #0969da; }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e6edf3; }
                  .bar { fill: #6e7681; }
                  .leasehold { fill: #4493f8; }
                }
              </style>
            """;

    private final StringBuilder body = new StringBuilder();
    private int y;

    private Chart() {}

    /** Writes {@code L1.svg} and the like to a directory. */
    static void write(Path directory, Scenario scenario, List<Result> results) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(scenario.name() + ".svg"), svg(scenario, results));
        } catch (IOException e) {
            throw new UncheckedIOException("no chart could be written to '" + directory + "'", e);
        }
    }

    static String svg(Scenario scenario, List<Result> results) {
        Chart chart = new Chart();
        chart.text(0, 18, "title", scenario.name() + ": " + scenario.title());
        chart.y = HEAD;
        for (Variant variant : scenario.variants()) {
            List<Result> rows =
                    results.stream().filter(r -> r.variant().equals(variant)).toList();
            if (!rows.isEmpty()) {
                chart.bars(variant, rows);
            }
        }
        return chart.framed();
    }

    private void bars(Variant variant, List<Result> rows) {
        text(0, y + 16, "variant", variant.label() + ", operations per second");
        y += VARIANT_HEAD;
        double most =
                rows.stream().mapToDouble(r -> r.median().opsPerSecond()).max().orElse(1);
        for (Result row : rows) {
            bar(row, row.median().opsPerSecond() / most, rows);
        }
    }

    private void bar(Result row, double part, List<Result> all) {
        boolean ours = row.contender().name().startsWith(Contender.LEASEHOLD);
        text(8, y + 14, "name", row.contender().name());
        body.append(String.format(
                Locale.ROOT,
                "  <rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                ours ? " leasehold" : "",
                LABELS,
                y,
                Math.max(1, part * (WIDTH - LABELS - NUMBERS)),
                BAR));
        String ratio = row.ratioToLeasehold(all).isPresent()
                ? "  (" + Table.number(row.ratioToLeasehold(all).getAsDouble()) + " x)"
                : "";
        int x = (int) (LABELS + part * (WIDTH - LABELS - NUMBERS)) + 8;
        text(x, y + 14, "number", Table.number(row.median().opsPerSecond()) + ratio);
        y += ROW;
    }

    private void text(int x, int baseline, String style, String text) {
        body.append(String.format(
                Locale.ROOT, "  <text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, baseline, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private String framed() {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
                        WIDTH,
                        y + 8)
                + STYLE
                + body
                + "</svg>\n";
    }
}
