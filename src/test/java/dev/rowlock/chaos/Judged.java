package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** A story that a test tells, and what the checks find in it. */
abstract class Judged {

    final Story story = new Story();

    void finds(String... beginnings) {
        finds(story.found(), beginnings);
    }

    /** In what history accounts for. */
    void misses(String... beginnings) {
        finds(story.unaccounted(), beginnings);
    }

    private static void finds(List<String> found, String... beginnings) {
        assertThat(found).hasSize(beginnings.length);
        for (int i = 0; i < beginnings.length; i++) {
            assertThat(found.get(i)).startsWith(beginnings[i]);
        }
    }

    Story.Task second(long number) {
        return story.task(number * 1000);
    }
}
