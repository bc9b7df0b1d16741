package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.RanClasses;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Number of classes that somebody reads who follows one occurrence from the due scan to its row of history, on a node
 * that has joined and found nothing to do. A top-level class counts if a method of it, or of one nested in it, runs
 * meanwhile, wherever it was loaded; an interface without code does not. Commands are played, and output is not stored.
 */
@Tag("database")
class OccurrenceClassesTest {

    /** Lower it when there are fewer. */
    private static final int MOST = 180;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    @Test
    void an_occurrence_runs_few_classes() throws Exception {
        Rows rows = new Rows(server);
        Class<?> played = new RanClasses().loadClass(PlayedOccurrence.class.getName());
        Object occurrence = played.getConstructor(String.class, String.class, String.class, Path.class)
                .newInstance(server.url(), server.user(), server.password(), dir);
        Set<String> ran;
        try (Closeable node = (Closeable) occurrence) {
            long job = rows.job("j", "{\"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"zone\": \"UTC\"}");
            rows.task(job, -50, true);
            ran = RanClasses.during((Runnable) node);
        }

        assertThat(rows.one("select outcome from task_history")).isEqualTo("SUCCEEDED");
        assertThat(ran).as("%s", byRoom(ran)).hasSizeBetween(20, MOST);
    }

    private static String byRoom(Set<String> classes) {
        Map<String, List<String>> rooms = classes.stream()
                .collect(Collectors.groupingBy(
                        name -> name.substring(0, name.lastIndexOf('.')), TreeMap::new, Collectors.toList()));
        return rooms.entrySet().stream()
                .map(room -> room.getKey() + " (" + room.getValue().size() + "): "
                        + room.getValue().stream()
                                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                                .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }
}
