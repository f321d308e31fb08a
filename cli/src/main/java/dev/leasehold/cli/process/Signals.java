package dev.leasehold.cli.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals that ask this process to end, while somebody else is to hear of them. CloseStack it gives them back their usual effect.
 *
 * <p>The JDK has no supported way to catch signals; this is the unsupported one, found by name since the compiler warns of it. A
 * signal that was ignored when the process started, as under nohup, stays ignored.
 */
public final class Signals implements AutoCloseable {
    /** The signals, with their numbers. */
    public enum Kind {
        HUP(1),
        INT(2),
        TERM(15);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    private final Map<Kind, Object> before = new EnumMap<>(Kind.class);
    private final Set<Kind> pending = EnumSet.noneOf(Kind.class);
    private @Nullable Consumer<Kind> listener;
    private @Nullable Kind first;

    private Signals() {}

    /** Catches them from now on; until {@link #subscribe} they are kept. */
    public static Signals catching() {
        Signals signals = new Signals();
        for (Kind kind : Kind.values()) {
            signals.caught(kind).ifPresent(old -> signals.before.put(kind, old));
        }
        return signals;
    }

    /** Passes signals to a listener from now on, in a thread of the JVM; those that nobody got so far, at once. */
    public synchronized void subscribe(Consumer<Kind> next) {
        listener = next;
        pending.forEach(next);
        pending.clear();
    }

    /** Passes signals to a listener from now on; also, at once, the first that came before. */
    public synchronized void subscribeAndReplay(Consumer<Kind> next) {
        subscribe(next);
        if (first != null) {
            next.accept(first);
        }
    }

    /** The first that came. */
    public synchronized Optional<Kind> first() {
        return Optional.ofNullable(first);
    }

    private synchronized void came(Kind kind) {
        first = first == null ? kind : first;
        if (listener == null) {
            pending.add(kind);
        } else {
            listener.accept(kind);
        }
    }

    @Override
    public void close() {
        before.forEach(Signals::handle);
    }

    private Optional<Object> caught(Kind kind) {
        InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                came(kind);
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "leasehold " + kind;
        };
        return type("sun.misc.SignalHandler")
                .map(handler -> Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, calls))
                .flatMap(handler -> handle(kind, handler));
    }

    /** Sets a handler and returns the one before; empty if this JVM cannot, or keeps this signal for itself. */
    private static Optional<Object> handle(Kind kind, Object handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Object named = signal.getConstructor(String.class).newInstance(kind.name());
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            return Optional.ofNullable(
                    signal.getMethod("handle", signal, handlers).invoke(null, named, handler));
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }

    private static Optional<Class<?>> type(String name) {
        try {
            return Optional.of(Class.forName(name));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
