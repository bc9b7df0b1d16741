package dev.rowlock.cli.crontab;

import dev.rowlock.cli.imports.ImportText;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Crontabs as files with jobs.
 *
 * @param zone of the host that cron runs on
 * @param likeCron whether what cron does not say is as cron does it, and not as Rowlock does
 * @param isUser whether this machine has a user of that name
 */
public record CrontabImport(String zone, boolean likeCron, Predicate<String> isUser) {

    private static final String HEAD =
            ". On each host cron runs these by itself; here each runs on one node, unless it" + " says broadcast.\n";
    private static final String POLICIES =
            "What is due while a run lasts is skipped (overlap: SKIP); what was missed is made up for once (misfire:"
                    + " RUN_ONCE); a run\n"
                    + "whose node died starts again on another (onLost: RERUN). cron starts it beside the other,"
                    + " forgets it, and leaves it:\n"
                    + "--like-cron writes overlap: ALLOW, misfire: SKIP, onLost: FAIL.\n";
    private static final String AS_CRON =
            "As cron: a run starts beside one that lasts (overlap: ALLOW), what was missed"
                    + " is forgotten (misfire: SKIP), and\n"
                    + "a run whose node died is not started again (onLost: FAIL).\n";
    private static final String TOGETHER = "Lines with the very same command are one job of several schedules: at an"
            + " instant that two of them ask for it runs once,\nand overlap holds for all of them together. cron starts"
            + " each line by itself.";
    private static final String END = "What a command leaves in the background is killed when it ends. Commands get"
            + " neither /etc/environment nor limits.conf.";

    /**
     * Adds what one crontab becomes.
     *
     * @param from what it is called
     * @param withUser whether there is a column for the user, as in {@code /etc/crontab}
     * @param owner whose crontab it is; null: it is not known
     * @return whether each command begins with a user, as if the column had been forgotten
     */
    public boolean add(ImportText to, String from, String text, boolean withUser, @Nullable String owner) {
        to.begin("From " + from + HEAD + (likeCron ? AS_CRON : POLICIES) + END, TOGETHER);
        return new Crontab(this, withUser, owner, to).read(text);
    }
}
