package dev.rowlock.job;

import java.util.List;
import java.util.stream.Stream;

/** @param warnings why it may not come to anything */
public record Run(long task, List<String> warnings) {

    Run warning(String more) {
        return new Run(task, Stream.concat(warnings.stream(), Stream.of(more)).toList());
    }
}
