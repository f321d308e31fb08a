package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The whole state of a dispatcher and of what is on its way, as text. It is found by reflection, so that no field can be forgotten.
 * Numbers that only count up are replaced by what they are compared with.
 */
final class Structure {
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    private final StringBuilder text = new StringBuilder();
    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private final Dispatcher dispatcher;

    private Structure(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    static String of(Dispatcher dispatcher, List<Object> others) {
        Structure structure = new Structure(dispatcher);
        structure.add(dispatcher);
        structure.add(others);
        return structure.text.toString();
    }

    private void add(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean || value instanceof String) {
            text.append(value).append(' ');
        } else if (value instanceof LeasedItem item) {
            text.append("item").append(item.payload()[0]).append(' ');
        } else if (value instanceof QueueException
                || value instanceof QueueRecord
                || value.getClass().isSynthetic()) {
            text.append("x ");
        } else if (value instanceof Questions questions) {
            text.append(questions.size()).append(" questions ");
        } else if (value instanceof WaitingConsumer consumer && consumer.gone) {
            text.append("gone").append(consumer.request().clientId()).append(' ');
        } else if (value instanceof Iterable<?> all && !(value instanceof PartitionTable)) {
            text.append('[');
            all.forEach(this::add);
            text.append(']');
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, its) -> add(List.of(key, its instanceof Long question ? rank(question) : its)));
        } else if (value.getClass().getName().startsWith("dev.leasehold.")) {
            addFields(value);
        } else {
            text.append(value).append(' ');
        }
    }

    private void addFields(Object object) {
        Integer known = seen.putIfAbsent(object, seen.size());
        if (known != null) {
            text.append('#').append(known).append(' ');
            return;
        }
        text.append('{');
        for (Field field : FIELDS.computeIfAbsent(object.getClass(), Structure::fields)) {
            try {
                addField(object, field, field.get(object));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        text.append('}');
    }

    private void addField(Object object, Field field, @Nullable Object value) {
        if (value instanceof Long question && Set.of("question", "awaits").contains(field.getName())) {
            add(rank(question));
        } else if (object instanceof LeaseRound round && field.getName().equals("changes")) {
            add(isCurrent(round.ref(), round.changes));
        } else if (object instanceof Look look && field.getName().equals("changes")) {
            for (int i = 0; i < look.changes.length; i++) {
                add(isCurrent(look.partitions().get(i), look.changes[i]));
            }
        } else if (!(object instanceof PartitionState) || !field.getName().equals("changes")) {
            add(value);
        }
    }

    /** How many questions up to this one are open. */
    private int rank(long question) {
        return dispatcher.questions().openUpTo(question);
    }

    private boolean isCurrent(PartitionRef ref, int changes) {
        return dispatcher.partitions().get(ref).changes() == changes;
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> some = type; some != null && some != Object.class; some = some.getSuperclass()) {
            for (Field field : some.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }
}
