package dev.leasehold.chaos.broken;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A change to the statements of the real engine, made on their way to PostgreSQL: what it finds, and what it puts in its place. */
final class Breakage {
    private final String name;
    private final String find;
    private final String replace;
    private final String where;
    private final AtomicInteger times = new AtomicInteger();

    private Breakage(String name, String find, String replace, String where) {
        this.name = name;
        this.find = find;
        this.replace = replace;
        this.where = where;
    }

    static Breakage of(String name, String find, String replace) {
        return new Breakage(name, find, replace, "");
    }

    /** The same in statements alone that contain this. */
    Breakage where(String text) {
        return new Breakage(name, find, replace, text);
    }

    /** How many statements it has changed. */
    int times() {
        return times.get();
    }

    /** The same database, as a broken engine uses it. */
    DataSource in(DataSource dataSource) {
        return proxy(DataSource.class, dataSource, (proxy, method, arguments) -> {
            Object result = invoke(dataSource, method, arguments);
            return result instanceof Connection connection ? broken(connection) : result;
        });
    }

    private Connection broken(Connection connection) {
        return proxy(Connection.class, connection, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && arguments.length == 1) {
                arguments[0] = change((String) arguments[0]);
            }
            return invoke(connection, method, arguments);
        });
    }

    private String change(String sql) {
        String changed = sql.contains(where) ? sql.replace(find, replace) : sql;
        if (!changed.equals(sql)) {
            times.incrementAndGet();
        }
        return changed;
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, T target, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(target.getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public String toString() {
        return name;
    }
}
