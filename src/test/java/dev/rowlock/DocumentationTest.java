package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages name exists: files, headings, tests, settings, rooms, classes. Their wording is for people to judge.
 */
class DocumentationTest {

    private static final Path ROOMS = Path.of("src", "main", "java", "dev", "rowlock");
    private static final Path TESTS = Path.of("src", "test", "java");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS = Pattern.compile("[A-Z][a-z][A-Za-z]*");
    private static final Pattern LOOP = Pattern.compile("(?:loops(?:\\(\\))?|node)\\s*\\.add\\(\\s*\"([a-z-]+)\"");
    private static final int COLUMNS = 120;

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> docs = Files.list(Path.of("docs"))) {
            return Stream.concat(root, docs).filter(path -> path.toString().endsWith(".md")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_link_leads_somewhere(Path page) throws IOException {
        Path dir = page.toAbsolutePath().getParent();
        for (MatchResult link : matches(LINK, Files.readString(page))) {
            Path target = link.group(1).isEmpty() ? page : dir.resolve(link.group(1));
            assertThat(target).as(link.group()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as(link.group()).contains(link.group(2));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_test_that_is_named_exists(Path page) throws IOException {
        Set<String> tests = classes(TESTS);
        List<String> named = code(page)
                .filter(word -> CLASS.matcher(word).matches() && word.endsWith("Test"))
                .toList();
        assertThat(tests).containsAll(named);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_setting_that_is_named_exists(Path page) throws IOException {
        Set<String> settings = settings();
        String sections = settings.stream()
                .map(key -> key.replaceAll("\\..*", ""))
                .distinct()
                .collect(Collectors.joining("|"));
        Pattern setting = Pattern.compile("(?:" + sections + ")(?:\\.[a-z]+(?:-[a-z]+)*)+");
        assertThat(settings)
                .containsAll(code(page)
                        .filter(word -> setting.matcher(word).matches())
                        .filter(word -> !Files.exists(Path.of("config", word)) && !word.matches(".*\\.(journal|token)"))
                        .filter(word -> !Files.exists(ROOMS.resolve(word.replace('.', '/'))))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void prose_is_wrapped(Path page) throws IOException {
        assertThat(Files.readAllLines(page).stream().filter(line -> !line.startsWith("|")))
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void the_map_shows_every_room_and_what_is_in_it() throws IOException {
        Set<String> shown = new TreeSet<>();
        for (List<String> row : rows("CONTRIBUTING.md", "| Room | What it holds |")) {
            String room = row.get(0).replace("`", "");
            shown.add(room);
            Path dir = ROOMS.resolve(room.replace("dev.rowlock", "").replace('.', '/'));
            for (MatchResult word : matches(CODE, row.get(2))) {
                if (CLASS.matcher(word.group(1)).matches()) {
                    assertThat(dir.resolve(word.group(1) + ".java")).exists();
                }
            }
        }
        try (Stream<Path> sources = Files.walk(ROOMS)) {
            assertThat(shown)
                    .containsAll(sources.filter(path -> path.endsWith("package-info.java"))
                            .map(path -> room(path.getParent()))
                            .toList());
        }
    }

    @Test
    void the_classes_to_change_something_in_exist() throws IOException {
        for (List<String> row : rows("CONTRIBUTING.md", "| What | Where |")) {
            for (MatchResult word : matches(CODE, row.get(1))) {
                String path = word.group(1);
                String name = path.substring(path.lastIndexOf('.') + 1);
                if (path.contains(".") && CLASS.matcher(name).matches()) {
                    assertThat(ROOMS.resolve(path.replace('.', '/') + ".java")).exists();
                }
            }
        }
    }

    private static String room(Path dir) {
        String path = ROOMS.relativize(dir).toString().replace('/', '.');
        return path.isEmpty() ? "dev.rowlock" : path;
    }

    /** The cells of a table, from the row after its head. */
    @Test
    void the_list_of_loops_has_each_of_them_and_no_other() throws IOException {
        StringBuilder program = new StringBuilder();
        try (Stream<Path> sources = Files.walk(ROOMS)) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                program.append(Files.readString(source));
            }
        }
        List<String> shown = rows("docs/how-it-works.md", "| Loop | Does |").stream()
                .flatMap(row -> matches(CODE, row.get(0)).stream())
                .map(word -> word.group(1))
                .toList();
        assertThat(shown)
                .doesNotHaveDuplicates()
                .containsAll(matches(LOOP, program.toString()).stream()
                        .map(loop -> loop.group(1))
                        .toList())
                .allMatch(loop -> program.indexOf('"' + loop + '"') >= 0);
    }

    private static List<List<String>> rows(String page, String head) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(page));
        int first = lines.stream().map(line -> line.startsWith(head)).toList().indexOf(true);
        assertThat(first).as(head).isNotNegative();
        return lines.subList(first + 2, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static Stream<String> code(Path page) throws IOException {
        return matches(CODE, Files.readString(page)).stream().map(m -> m.group(1));
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    /** The headings of a page as they are named in links. */
    private static Set<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static Set<String> classes(Path root) throws IOException {
        try (Stream<Path> sources = Files.walk(root)) {
            return sources.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }

    /** Every key, as the shipped file shows it. */
    private static Set<String> settings() throws IOException {
        Set<String> keys = new TreeSet<>();
        String section = "";
        for (String line : Files.readAllLines(Path.of("config", "rowlock.yaml"))) {
            if (line.matches("[a-z]+:")) {
                section = line.replace(":", ".");
            } else if (line.matches("  #[a-z.-]+:.*")) {
                keys.add(section + line.replaceAll("  #([a-z.-]+):.*", "$1"));
            }
        }
        return keys;
    }
}
