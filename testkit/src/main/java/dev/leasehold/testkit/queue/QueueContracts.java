package dev.leasehold.testkit.queue;

import dev.leasehold.testkit.SuiteFixture;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** Makes a class a suite of all queue contracts, on the engine that its {@link SuiteFixture#FIXTURE} names. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.leasehold.testkit.queue")
@IncludeClassNamePatterns(".*Contract")
public @interface QueueContracts {}
