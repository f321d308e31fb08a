package dev.leasehold.cli.command;

import java.io.Console;
import java.lang.reflect.Constructor;
import java.util.Optional;
import picocli.CommandLine.IFactory;

/** Asks the user a question. */
@FunctionalInterface
public interface Prompt {
    /** Asks at the terminal. */
    Prompt CONSOLE = question -> Optional.ofNullable(System.console())
            .filter(Prompt::isTerminal)
            .map(console -> console.readLine("%s", question));

    /** The answer; empty if there is no terminal to ask at. */
    Optional<String> ask(String question);

    /** Since JDK 22 there is a console without a terminal, which says so by a method that JDK 17 does not have. */
    private static boolean isTerminal(Console console) {
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** A factory that passes this to the constructors of commands that take one. */
    default IFactory injected(IFactory others) {
        return new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                    if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Prompt.class) {
                        constructor.setAccessible(true);
                        return type.cast(constructor.newInstance(Prompt.this));
                    }
                }
                return others.create(type);
            }
        };
    }
}
