package dev.rowlock.report.metrics;

import org.jspecify.annotations.Nullable;

/**
 * Version of the running program.
 *
 * @param revision the commit that it was built from
 * @param java the version of the JVM
 * @param schemaVersion of the tables, as this node found or made them; null: not known yet
 * @param featureLevel up to which tasks may need something of a node for this one to touch them
 */
public record About(
        String version,
        String revision,
        String java,
        @Nullable Integer schemaVersion,
        int featureLevel) {}
