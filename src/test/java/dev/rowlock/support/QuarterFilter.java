package dev.rowlock.support;

import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Filter that leaves a quarter of the test classes, by their names: the one that the system property {@code rowlock.quarter} (0 to 3) asks
 * for. Without the property it leaves all.
 */
public final class QuarterFilter implements PostDiscoveryFilter {

    private final @Nullable Integer quarter = Integer.getInteger("rowlock.quarter");

    @Override
    public FilterResult apply(TestDescriptor test) {
        boolean other = quarter != null
                && test.getSource()
                        .filter(ClassSource.class::isInstance)
                        .map(source -> quarterOf(((ClassSource) source).getClassName()) != quarter)
                        .orElse(false);
        return FilterResult.includedIf(!other);
    }

    /** Nested classes belong to where they stand. */
    private static int quarterOf(String type) {
        return Math.floorMod(
                type.substring(type.lastIndexOf('.') + 1)
                        .replaceFirst("\\$.*", "")
                        .hashCode(),
                4);
    }
}
