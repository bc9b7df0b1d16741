package dev.rowlock.nodes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs that dump and load a database, of the maker of the server of the tests. */
record ClientPrograms(boolean areOfMariaDb) {

    private static final Path CACHE = Path.of(System.getProperty("user.home"), ".cache", "rowlock");

    static ClientPrograms of(Rows rows) {
        return new ClientPrograms(String.valueOf(rows.one("select version()")).contains("MariaDB"));
    }

    String dump() {
        return areOfMariaDb ? "mariadb-dump" : "mysqldump";
    }

    String client() {
        return areOfMariaDb ? "mariadb" : "mysql";
    }

    /** Makes both known to a shell, as this account. */
    void install(OperatorShell shell, Path dir, TestDatabase server, String user, String password) throws IOException {
        Path options = Files.writeString(dir.resolve("client.cnf"), """
                [client]
                host=%s
                port=%d
                protocol=tcp
                user=%s
                password=%s
                %s
                """.formatted(
                        server.address().getHostString(),
                        server.address().getPort(),
                        user,
                        password,
                        areOfMariaDb ? "skip-ssl" : ""));
        for (String name : List.of(dump(), client())) {
            List<String> line = new ArrayList<>(line(name));
            line.add("--defaults-file=" + options);
            shell.program(name, line.toArray(String[]::new));
        }
    }

    /** Those of the embedded database, of scripts/mysql-for-tests, or of the machine. */
    private List<String> line(String name) throws IOException {
        if (areOfMariaDb) {
            try (Stream<Path> found = Files.list(CACHE)) {
                Path program = found.map(dir -> dir.resolve("bin").resolve(name))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElseThrow();
                return List.of(program.toString());
            }
        }
        Path unpacked = CACHE.resolve("mysql/programs/usr");
        if (Files.exists(unpacked.resolve("bin").resolve(name))) {
            String libraries = unpacked.resolve("lib/x86_64-linux-gnu").toString();
            return List.of(
                    libraries + "/ld-linux-x86-64.so.2",
                    "--library-path",
                    libraries,
                    unpacked.resolve("bin").resolve(name).toString());
        }
        Path installed = Path.of("/usr/bin", name);
        assumeTrue(Files.isExecutable(installed), "there is no " + name + " here: apt-get install mysql-client");
        return List.of(installed.toString());
    }
}
