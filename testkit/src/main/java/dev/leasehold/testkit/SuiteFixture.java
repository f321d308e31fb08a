package dev.leasehold.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Gives each test of a contract a new fixture: an instance of the class that the suite names as its {@link #FIXTURE}.
 *
 * <pre>{@code
 * @LockContracts
 * @ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "com.example.RedisFixture")
 * class RedisLockContractsTest {}
 * }</pre>
 */
public final class SuiteFixture implements ParameterResolver {
    /** The configuration parameter of a suite that names the class of its fixtures. It needs a constructor without parameters. */
    public static final String FIXTURE = "leasehold.fixture";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == LockFixture.class || type == QueueFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        String name = context.getConfigurationParameter(FIXTURE)
                .orElseThrow(() -> new ParameterResolutionException(
                        "a contract runs as part of a suite that names its fixture by " + FIXTURE));
        return ReflectionSupport.newInstance(ReflectionSupport.tryToLoadClass(name)
                .getOrThrow(cause -> new ParameterResolutionException("there is no fixture " + name, cause)));
    }
}
