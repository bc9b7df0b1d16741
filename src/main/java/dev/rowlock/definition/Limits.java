package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.FieldType.duration;
import static dev.rowlock.field.FieldType.number;

import dev.rowlock.field.FieldTable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the processes of a command; null: as much as the daemon.
 *
 * @param cpuTime of each process; whole seconds count
 * @param memory in bytes: of all its processes together where a control group can be made, else of address space for
 *     each
 * @param openFiles of each process
 * @param processes of the command's user on the host, threads included, as the kernel counts them; root may have any
 */
public record Limits(
        @Nullable Duration cpuTime,
        @Nullable Long memory,
        @Nullable Integer openFiles,
        @Nullable Integer processes) {

    public static final Limits NONE = new Limits(null, null, null, null);

    static final FieldTable<Limits> TABLE = new FieldTable<>(
            "limits",
            Limits.class,
            List.of(
                    optional("cpuTime", duration("1s", "365d"), null, "CPU time of each process, in whole seconds"),
                    optional("memory", RunFieldTypes.memory(), null, "memory of all its processes together, see below"),
                    optional("openFiles", number(16, 1_048_576), null, "open files of each process"),
                    optional(
                            "processes",
                            number(1, 4_194_304),
                            null,
                            "processes and threads of its user on the node, others' included")),
            List.of());

    /** Returns whether none is set. */
    public boolean isNone() {
        return equals(NONE);
    }
}
