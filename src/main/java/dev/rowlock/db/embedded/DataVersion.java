package dev.rowlock.db.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Version of MariaDB that wrote the data last, noted next to them. A newer one upgrades them when it starts, which an
 * older one of another series cannot undo.
 */
record DataVersion(String version) {

    private static final Logger LOG = LoggerFactory.getLogger(DataVersion.class);

    /** The only version that was bundled before there were notes. */
    private static final String UNNOTED = "11.4.5";

    private static final String NUMBERS = "\\d+\\.\\d+\\.\\d+";

    static DataVersion of(Home home) throws IOException {
        Path note = home.versionNote();
        String noted = Files.exists(note) ? Files.readString(note).strip() : UNNOTED;
        if (!noted.matches(NUMBERS)) {
            throw new EmbeddedDatabaseProblem(note + " says \"" + noted
                    + "\", which is no version of MariaDB: write the one that has used " + home.data() + " last.");
        }
        return new DataVersion(noted);
    }

    /**
     * Logs what the programs are going to do with the data.
     *
     * @throws EmbeddedDatabaseProblem they cannot use them; nothing was touched
     */
    void before(String programs, Home home) {
        if (programs.equals(version)) {
            return;
        }
        int newer = compare(series(version), series(programs));
        if (newer > 0) {
            throw new EmbeddedDatabaseProblem("The data in " + home.data() + " were last used by MariaDB " + version
                    + ", and this version of Rowlock brings " + programs
                    + ", which cannot read them. Run the version of"
                    + " Rowlock that used them, or move " + home.dir() + " away and load a dump.");
        }
        LOG.warn(
                "the data in {} were last used by MariaDB {}: they are upgraded to {} now{}",
                home.data(),
                version,
                programs,
                newer < 0 ? ", and the version before cannot read them any more" : "");
    }

    /** Returns the series, whose releases read each other's data. */
    private static List<Integer> series(String version) {
        return numbers(version).subList(0, 2);
    }

    private static List<Integer> numbers(String version) {
        return Arrays.stream(version.split("\\.")).map(Integer::valueOf).toList();
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        int first = Integer.compare(one.get(0), other.get(0));
        return first != 0 ? first : Integer.compare(one.get(1), other.get(1));
    }

    static void note(Home home, String programs) throws IOException {
        Path note = home.versionNote();
        if (!Files.exists(note) || !Files.readString(note).strip().equals(programs)) {
            home.writeForOwner(note, programs + "\n");
        }
    }
}
