package dev.rowlock.support;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Filter that leaves a quarter of the test classes, by their names: the one that the system property {@code rowlock.quarter} (0 to 3) asks
 * for. Without the property it leaves all. JUnit asks for each method, and forgets a class of which none is left.
 */
public final class QuarterFilter implements PostDiscoveryFilter {

    /** Spreads the slow classes so that the quarters take equally long. */
    private static final int SPREAD = 775;

    private final @Nullable Integer quarter;

    public QuarterFilter() {
        this(Integer.getInteger("rowlock.quarter"));
    }

    QuarterFilter(@Nullable Integer quarter) {
        this.quarter = quarter;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(quarter == null
                || typeOf(test).map(type -> quarterOf(type) == quarter).orElse(true));
    }

    private static Optional<String> typeOf(TestDescriptor test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource method) {
            return Optional.of(method.getClassName());
        }
        return source instanceof ClassSource type ? Optional.of(type.getClassName()) : Optional.empty();
    }

    /** Nested classes belong to where they stand. */
    private static int quarterOf(String type) {
        String name = type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
        return (name.hashCode() * SPREAD) >>> 30;
    }
}
