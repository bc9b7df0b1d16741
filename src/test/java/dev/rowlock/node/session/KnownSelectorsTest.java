package dev.rowlock.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.store.SelectorStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class KnownSelectorsTest {

    @RegisterExtension
    final TestDatabase testDatabase = new TestDatabase();

    @Test
    void those_that_were_forgotten_in_the_database_do_not_pile_up() {
        Rows rows = new Rows(testDatabase);
        try (Database database = Database.single(
                new DatabaseAddress(testDatabase.url(), testDatabase.user(), testDatabase.password()),
                Duration.ofSeconds(5))) {
            KnownSelectors known = new KnownSelectors("a", new SelectorStore(database));
            for (int id = 1; id <= 95; id++) {
                rows.run("insert into selector (id, expression) values (" + id + ", 'node:gone" + id + "')");
            }
            known.learn(IntStream.rangeClosed(1, 95).boxed().toList());
            assertThat(known.all()).hasSize(96);
            rows.run("delete from selector");

            for (int id = 101; id <= 110; id++) {
                rows.run("insert into selector (id, expression) values (" + id + ", 'node:gone" + id + "')");
                known.learn(List.of(id));
            }

            assertThat(known.all()).containsOnlyKeys(0, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110);
        }
    }
}
