package dev.leasehold.bench;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A figure that Leasehold promises to reach.
 *
 * @param id its short name: the scenario, a dot, and what it is about
 * @param variant the label of the variant in which it is measured
 * @param what what is measured, in words
 * @param isLeast whether {@code limit} is the least that is owed, or the most
 */
record OwedFigure(String id, String variant, String what, Figure figure, boolean isLeast, double limit) {
    /** Whether a figure is as it should be. */
    enum Verdict {
        MET("met"),
        SHORT("SHORT"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The name of its scenario. */
    String scenario() {
        return id.substring(0, id.indexOf('.'));
    }

    boolean isIn(Scenario other, Variant itsVariant) {
        return scenario().equals(other.name()) && variant.equals(itsVariant.label());
    }

    /** Such as {@code at least 8 x}. */
    String owed() {
        String number = new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(limit);
        return ((isLeast ? "at least " : "at most ") + number + " " + figure.unit()).stripTrailing();
    }

    /** What was measured, such as {@code 4.53 x}. */
    String text(double value) {
        return (Table.number(value) + " " + figure.unit()).stripTrailing();
    }

    /** Reads it off all results of a run; empty if something that it needs was not measured. */
    OptionalDouble measured(List<Result> results) {
        return figure.in(results.stream()
                .filter(result -> isIn(result.scenario(), result.variant()))
                .toList());
    }

    Verdict judge(OptionalDouble measured) {
        if (measured.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        double value = measured.getAsDouble();
        return (isLeast ? value >= limit : value <= limit) ? Verdict.MET : Verdict.SHORT;
    }
}
