package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.check.Violation;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Looks for tables and records that are left of queues which are no longer there. */
final class Remains {
    /** Tables of items whose queue is not there, or does not have so many partitions. */
    private static final String TABLES = """
            select c.relname
            from pg_class c
            where c.relkind = 'r'
              and c.relnamespace = current_schema()::regnamespace
              and c.relname like 'items\\_%'
              and not exists (
                select
                from queues q
                where starts_with(c.relname, 'items_' || q.hash || '_')
                  and substring(c.relname from '[0-9]+$')::int < cardinality(q.partition_stores)
              )
            order by c.relname
            """;

    private static final String HALF_DELETED = "select name from queues where deleted order by name";

    private static final String RECORDS = "select name || ' ' || uid from queues order by name";

    private final Store first;
    private final Map<String, Store> stores;

    /** A database in which a query answers with the first column of its rows. */
    interface Store {
        List<String> ask(String query);
    }

    /**
     * @param first where the records of all queues are
     * @param others by name
     */
    Remains(Store first, Map<String, Store> others) {
        this.first = first;
        this.stores = Map.copyOf(others);
    }

    /** What is still left after that time. Deletes that were not finished are finished by the nodes. */
    List<Violation> check(Duration limit) {
        try {
            Polling.await("the end of all deletes", limit, () -> find().isEmpty());
            return List.of();
        } catch (HarnessException e) {
            List<String> found = find();
            return found.isEmpty()
                    ? List.of()
                    : List.of(new Violation("LeftBehind", "of deleted queues are left: " + found, List.of()));
        }
    }

    private List<String> find() {
        List<String> found = new ArrayList<>(tablesAndHalves("first", first));
        stores.forEach((name, store) -> {
            found.addAll(tablesAndHalves(name, store));
            List<String> copies = store.ask(RECORDS); // before the others: a record is written there first
            Set<String> known = new HashSet<>(first.ask(RECORDS));
            copies.stream()
                    .filter(copy -> !known.contains(copy))
                    .forEach(copy -> found.add("record " + copy + " in " + name));
        });
        return found;
    }

    private static List<String> tablesAndHalves(String name, Store store) {
        return Stream.concat(
                        store.ask(TABLES).stream().map(table -> "table " + table + " in " + name),
                        store.ask(HALF_DELETED).stream().map(queue -> "deleted queue " + queue + " in " + name))
                .toList();
    }
}
