package dev.leasehold.bench;

/**
 * What went between clients and the database.
 *
 * @param roundTrips how often a client waited for the database
 * @param transactions how often a round trip ended with no transaction open
 */
public record Traffic(long roundTrips, long transactions) {
    public static final Traffic NONE = new Traffic(0, 0);

    Traffic plus(Traffic other) {
        return new Traffic(roundTrips + other.roundTrips, transactions + other.transactions);
    }

    Traffic minus(Traffic other) {
        return new Traffic(roundTrips - other.roundTrips, transactions - other.transactions);
    }
}
