package dev.leasehold.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/** A data source in which a test is asked before every call of its connections and statements, and may throw. */
public final class Faulty {
    private Faulty() {}

    /**
     * The same data source, with {@code before} in front of every call.
     *
     * @param before gets the type of the object, such as Connection, and the name of the method
     */
    public static DataSource dataSource(DataSource real, BiConsumer<String, String> before) {
        return wrap(DataSource.class, real, before);
    }

    private static <T> T wrap(Class<T> type, T target, BiConsumer<String, String> before) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    before.accept(type.getSimpleName(), method.getName());
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getName().equals("unwrap") ? result : wrapped(result, before);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Object wrapped(Object result, BiConsumer<String, String> before) {
        if (result instanceof Connection connection) {
            return wrap(Connection.class, connection, before);
        }
        if (result instanceof PreparedStatement statement) {
            return wrap(PreparedStatement.class, statement, before);
        }
        return result instanceof Statement statement ? wrap(Statement.class, statement, before) : result;
    }
}
