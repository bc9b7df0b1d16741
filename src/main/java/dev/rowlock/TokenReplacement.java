package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.config.Config;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.store.session.TokenStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code rowlock admin-token replace}: gives the cluster another administrator's token, which nothing else does. */
final class TokenReplacement {

    /** {@code EX_USAGE} of sysexits.h. */
    private static final int USAGE = 64;

    static final String HELP = """
            usage: rowlock admin-token replace [--config FILE] [--embedded]

            Replaces the admin token of the cluster: by that of the settings (ROWLOCK_ADMIN_TOKEN, admin.token), or, if they have none, by a
            new one that is then in admin.token in the data directory. Needs the database, and no node. The token before is refused by every
            node within five seconds.

            --config FILE  settings, as for the server: they say which database
            --embedded     the embedded database of data.dir; the default if there is no database.url

            exit code: 0 it is replaced; 64 not understood; 69 the database is not there, or the file cannot be written; 78 the settings are
            wrong
            """;

    private final PrintStream out;
    private final PrintStream err;

    TokenReplacement(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** @return the exit code */
    int run(List<String> args, Map<String, String> environment) {
        if (args.contains("--help") || args.contains("-h")) {
            out.print(HELP);
            return 0;
        }
        @Nullable Path file = null;
        boolean embedded = false;
        boolean replace = false;
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (arg.equals("replace") && i == 0) {
                replace = true;
            } else if (arg.equals("--embedded")) {
                embedded = true;
            } else if (arg.equals("--config") && i + 1 < args.size()) {
                file = Path.of(args.get(++i));
            } else {
                return misunderstood("\"" + arg + "\" is not understood");
            }
        }
        return replace
                ? new CommandDatabase("admin-token", err).use(file, embedded, environment, this::replace)
                : misunderstood("say \"replace\" if that is what you want");
    }

    private int misunderstood(String why) {
        err.println("rowlock admin-token: " + why);
        err.print(HELP);
        return USAGE;
    }

    private int replace(Config config, DatabaseAddress address) throws IOException {
        try (Database database = Database.single(address, Duration.ofSeconds(10))) {
            Files.createDirectories(config.dataDir());
            AdminToken token = new AdminToken(new TokenStore(database), config.dataDir(), config.adminToken());
            if (token.replace() == AdminToken.Place.FILE) {
                out.println("The admin token of this cluster is replaced; the new one is in " + token.file());
                return 0;
            }
            out.println("The admin token of this cluster is replaced by that of the settings");
            if (Files.exists(token.file())) {
                out.println(token.file()
                        + " is not used while the settings have a token; delete it if it holds the one before");
            }
            return 0;
        }
    }
}
