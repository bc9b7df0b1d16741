package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks for an explanation of rows of history when all is over: it has to agree with each outcome, and name its reason. */
final class ExplainChecks {

    /** Of each outcome, the newest and the oldest. */
    private static final List<String> SAMPLES = List.of("order by id desc limit 100", "order by id limit 100");

    private static final List<String> OUTCOMES =
            List.of("SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST", "SKIPPED", "MISSED", "CANCELLED", "EXPANDED");

    private final ChaosDatabase database;
    private final Findings findings;

    ExplainChecks(ChaosDatabase database, Findings findings) {
        this.database = database;
        this.findings = findings;
    }

    void check() {
        DatabaseAddress address =
                new DatabaseAddress(database.directUrl(), database.nodeUser(), database.nodePassword());
        Rows rows = new Rows(database::admin);
        long asked = rows.count("task_history");
        List<String> wrong = new ArrayList<>();
        try (Database pool = Database.pooled(new Servers(address), 2, Duration.ofSeconds(30))) {
            ExplainedHistory explained = new ExplainedHistory(rows, pool);
            for (String outcome : OUTCOMES) {
                SAMPLES.forEach(
                        sample -> wrong.addAll(explained.disagreements("where outcome = '" + outcome + "' " + sample)));
            }
        }
        wrong.forEach(what -> findings.add(Kind.UNEXPLAINED, what));
        findings.note("explain was asked about samples of " + asked + " rows of history");
    }
}
