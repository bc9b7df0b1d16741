package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of one entry of another scheduler.
 *
 * @param comments where it comes from, what means something else here, and what is not carried over
 * @param job null: there is none
 * @param isLost whether this was an entry that has become no job
 */
public record Imported(List<String> comments, @Nullable ObjectNode job, boolean isLost) {

    static final String NOT_CARRIED = "not carried over: ";
}
