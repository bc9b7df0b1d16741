package dev.rowlock.api;

import dev.rowlock.control.Jobs.JobPage;
import dev.rowlock.job.JobFilter;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.JobSort;
import dev.rowlock.job.Times;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Cursors of lists of jobs: their order, and where the next page begins. */
final class JobPlaces {

    private JobPlaces() {}

    static JobSort sort(Parameters parameters) {
        String word = parameters.word("sort", JobSort.WORDS);
        return word == null ? JobSort.NAME : JobSort.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Returns the place in order of names; null: the first page. */
    static @Nullable JobKey key(Parameters parameters) {
        String[] parts = parameters.cursor("jobs", 2);
        return parts == null ? null : new JobKey(parts[0], parts[1]);
    }

    /** Returns the place in any other order; null: the first page. */
    static JobFilter.@Nullable Place place(Parameters parameters, JobSort sort) {
        String[] parts = parameters.cursor("jobs", 4);
        if (parts == null) {
            return null;
        }
        Instant at = Parameters.instantOf(parts[2]);
        boolean timed = parts[2].isEmpty() || at != null;
        if (!parts[0].equals(sort.word()) || !parts[1].matches("[0-9]") || !timed || !parts[3].matches("[0-9]{1,18}")) {
            throw Parameters.brokenCursor();
        }
        return new JobFilter.Place(Integer.parseInt(parts[1]), at, Long.parseLong(parts[3]));
    }

    /** Returns the cursor of the next page; null if all jobs of this page have gone. */
    static @Nullable String cursor(JobPage page, JobSort sort) {
        JobFilter.Place last = page.last();
        if (last != null) {
            String at = last.at() == null ? "" : Times.text(last.at());
            return Parameters.cursorOf(
                    "jobs", sort.word(), Integer.toString(last.range()), at, Long.toString(last.row()));
        }
        if (page.jobs().isEmpty()) {
            return null;
        }
        JobKey key = page.jobs().get(page.jobs().size() - 1).job().key();
        return Parameters.cursorOf("jobs", key.namespace(), key.name());
    }
}
