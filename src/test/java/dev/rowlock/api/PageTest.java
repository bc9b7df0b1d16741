package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the web page is served, and that its parts are all there. What it does is tried in {@code dev.rowlock.page}. */
@Tag("database")
class PageTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final Path UI = Path.of("src", "main", "resources", "ui");
    private static final int FIRST_VIEW = 150 * 1024;
    private static final Pattern IMPORT = Pattern.compile("(?m)^(?:import|export) (?:[^;]*? from )?\"([./][^\"]+)\";");
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"@ui@/([^\"]+)\"");

    private static String tree() {
        Matcher tree = Pattern.compile("/ui/([0-9a-f]{16})/core/app\\.js").matcher(page().text());
        assertThat(tree.find()).isTrue();
        return tree.group(1);
    }

    private static Reply page() {
        return api.raw("GET", "/", null, List.of());
    }

    private static Reply part(String tree, String path, String... headers) {
        return api.raw("GET", "/ui/" + tree + "/" + path, null, List.of(headers));
    }

    @Test
    void the_page_is_served_to_anybody_under_a_strict_policy_and_never_kept() {
        Reply page = page();

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=utf-8");
        assertThat(page.header("Cache-Control")).isEqualTo("no-store");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.header("Content-Security-Policy"))
                .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                        + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
        assertThat(page.text()).doesNotContain("@ui@").doesNotContain("style=").doesNotContain("<script>");
    }

    @Test
    void parts_are_kept_for_ever_under_the_hash_of_all_and_not_at_all_under_another() {
        Reply part = part(tree(), "core/app.js");

        assertThat(part.status()).isEqualTo(200);
        assertThat(part.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
        assertThat(part.header("Content-Type")).isEqualTo("text/javascript;charset=utf-8");
        assertThat(part.header("Content-Encoding")).isEmpty();
        Reply other = part("0123456789abcdef", "core/app.js");
        assertThat(other.text()).isEqualTo(part.text());
        assertThat(other.header("Cache-Control")).isEqualTo("no-store");
    }

    @ParameterizedTest
    @CsvSource({
        "core/nothing.js",
        "core/index.html",
        "..%2F..%2Fdb/migration",
        "dev/rowlock",
        "vendor/files.txt",
        "%2e%2e/files.txt"
    })
    void nothing_else_is_served(String path) {
        Reply reply = part(tree(), path);

        assertThat(reply.status()).isIn(400, 404);
        assertThat(reply.text()).contains("\"status\":" + reply.status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | gzip",
                "br, gzip;q=0.8 | gzip",
                "* | gzip",
                "gzip;q=0 | ''",
                "br | ''",
                "x-gzip | ''",
            })
    void parts_are_compressed_for_those_who_can_read_it(String accepted, String encoding) {
        Reply part = part(tree(), "style/tokens.css", "Accept-Encoding", accepted);

        assertThat(part.header("Content-Encoding")).isEqualTo(encoding);
        assertThat(part.header("Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void what_is_compressed_is_what_is_not() throws IOException {
        PageAssets assets = PageAssets.load();
        for (String path : listed()) {
            PageAssets.Asset asset = Objects.requireNonNull(assets.find(path));
            try (InputStream read = new GZIPInputStream(new ByteArrayInputStream(asset.gzip()))) {
                assertThat(read.readAllBytes()).as(path).isEqualTo(asset.plain());
            }
        }
    }

    /** Libraries are what they were when somebody looked at them. */
    @ParameterizedTest
    @CsvSource({
        "preact.js, /META-INF/resources/webjars/preact/10.28.0/dist/preact.module.js, a9f9b70a175bccb2fba78feafe3b5ecd8ba0f9654d8cd96edf3ba5c3da450e69",
        "hooks.js, /META-INF/resources/webjars/preact/10.28.0/hooks/dist/hooks.module.js, 9295b344df14b5395a612fed63350619d029e91cc2e80e9a2a5f920e38b88972",
        "yaml.js, /META-INF/resources/webjars/js-yaml/4.3.1/dist/js-yaml.mjs, 33e98d04719e7a7fc8e0433803ad4b26a6f72d4545d279a5b053d45bd7871c7a"
    })
    void libraries_are_pinned(String name, String resource, String sha256) throws Exception {
        try (InputStream in = Objects.requireNonNull(PageTest.class.getResourceAsStream(resource), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(Api.sha256(text)).isEqualTo(sha256);
        }
        assertThat(part(tree(), "vendor/" + name).text()).doesNotContain("from\"preact\"");
    }

    @Test
    void every_file_is_listed_and_whatever_is_imported_is_there() throws IOException {
        Set<String> files;
        try (Stream<Path> all = Files.walk(UI)) {
            files = all.filter(Files::isRegularFile)
                    .map(path -> UI.relativize(path).toString())
                    .filter(path -> path.contains("/"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        Set<String> listed = listed();
        assertThat(listed.stream().filter(path -> !path.startsWith("vendor/"))).containsExactlyElementsOf(files);
        for (String path : files) {
            if (path.endsWith(".js")) {
                assertThat(listed).as(path).containsAll(imports(path));
            }
        }
    }

    @Test
    void what_the_first_view_needs_is_asked_for_at_once_and_is_small() throws IOException {
        PageAssets assets = PageAssets.load();
        Set<String> asked = REFERENCE
                .matcher(Files.readString(UI.resolve("index.html")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> needed = closure("core/app.js");

        assertThat(asked.stream().filter(path -> path.endsWith(".js"))).containsExactlyElementsOf(needed);
        needed.addAll(asked);
        needed.addAll(closure("page/overview.js"));
        needed.addAll(closure("page/jobs.js"));
        int bytes = assets.page().length;
        for (String path : needed) {
            bytes += Objects.requireNonNull(assets.find(path), path).gzip().length;
        }
        assertThat(bytes).isLessThan(FIRST_VIEW);
    }

    private static Set<String> closure(String first) throws IOException {
        Set<String> found = new TreeSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(first));
        while (!left.isEmpty()) {
            String path = left.pop();
            if (found.add(path) && !path.startsWith("vendor/")) {
                left.addAll(imports(path));
            }
        }
        return found;
    }

    private static Set<String> imports(String path) throws IOException {
        return IMPORT.matcher(Files.readString(UI.resolve(path)))
                .results()
                .map(found ->
                        Path.of(path).resolveSibling(found.group(1)).normalize().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> listed() throws IOException {
        return Files.readAllLines(UI.resolve("files.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\\s+", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
