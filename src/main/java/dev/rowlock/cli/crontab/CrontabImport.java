package dev.rowlock.cli.crontab;

import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.JobNames;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Crontabs as files with jobs: names that no two of them share. */
public final class CrontabImport {

    private final ZoneId zone;
    private final JobNames names = new JobNames();

    /** @param zone of the host that cron runs on */
    public CrontabImport(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * Adds what one crontab becomes.
     *
     * @param from what it is called
     * @param withUser whether there is a column for the user, as in {@code /etc/crontab}
     * @param owner whose crontab it is; null: it is not known
     */
    public void add(ImportText to, String from, String text, boolean withUser, @Nullable String owner) {
        to.add(
                "From " + from + ". On each host cron runs these by itself; here each runs on one node, unless it says"
                        + " broadcast.",
                new Crontab(withUser, owner, zone, names).read(text));
    }
}
