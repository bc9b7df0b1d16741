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
 * Filter that leaves an eighth of the test classes, by their names: the one that the system property {@code rowlock.eighth} (0 to 7) asks
 * for. Without the property it leaves all. JUnit asks for each method, and forgets a class of which none is left.
 */
public final class EighthFilter implements PostDiscoveryFilter {

    /** Spreads the slow classes so that the eighths take equally long. */
    private static final int SPREAD = 1383;

    private final @Nullable Integer eighth;

    public EighthFilter() {
        this(Integer.getInteger("rowlock.eighth"));
    }

    EighthFilter(@Nullable Integer eighth) {
        this.eighth = eighth;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(eighth == null
                || typeOf(test).map(type -> eighthOf(type) == eighth).orElse(true));
    }

    private static Optional<String> typeOf(TestDescriptor test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource method) {
            return Optional.of(method.getClassName());
        }
        return source instanceof ClassSource type ? Optional.of(type.getClassName()) : Optional.empty();
    }

    /** Nested classes belong to where they stand. */
    private static int eighthOf(String type) {
        String name = type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
        return (name.hashCode() * SPREAD) >>> 29;
    }
}
