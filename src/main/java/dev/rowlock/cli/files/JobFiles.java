package dev.rowlock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Definitions of jobs in files, in the order in which they stand there. */
public final class JobFiles {

    private static final String STANDARD_INPUT = "-";

    private JobFiles() {}

    /**
     * All jobs of these files, with their defaults.
     *
     * @param named files; directories with all that is YAML or JSON in them and below; {@code -}: standard input
     * @throws WrongFiles with all that can be told without asking a node
     */
    public static List<Located> read(List<String> named, InputStream in) {
        List<String> problems = new ArrayList<>();
        List<Located> jobs = new ArrayList<>();
        for (String name : named) {
            try {
                for (String file : files(name)) {
                    read(file, in, jobs, problems);
                }
            } catch (NoSuchFileException e) {
                problems.add(name + ": there is no such file or directory");
            } catch (UncheckedIOException e) {
                problems.add(name + " cannot be read: " + e.getCause());
            } catch (IOException e) {
                problems.add(name + " cannot be read: " + Texts.reason(e));
            }
        }
        return sound(jobs, problems);
    }

    /** One that cannot be understood keeps nobody from hearing of the others. */
    private static void read(String file, InputStream in, List<Located> jobs, List<String> problems)
            throws IOException {
        try {
            jobs.addAll(read(file, text(file, in), problems));
        } catch (WrongFiles e) {
            problems.addAll(e.sentences());
        } catch (CharacterCodingException e) {
            problems.add(file + ": this is no text in UTF-8");
        }
    }

    /**
     * The same for one text.
     *
     * @param file what it is called
     */
    public static List<Located> parse(String file, String text) {
        List<String> problems = new ArrayList<>();
        List<Located> jobs = new ArrayList<>();
        try {
            jobs.addAll(read(file, text, problems));
        } catch (WrongFiles e) {
            problems.addAll(e.sentences());
        }
        return sound(jobs, problems);
    }

    /**
     * What the documents of a text say that need not be about jobs.
     *
     * @param file what it is called
     */
    public static List<JsonNode> trees(String file, String text) {
        return documents(file, text).stream().map(Located::tree).toList();
    }

    /** The namespace and the name of a job. */
    public static String key(Located job) {
        return job.tree().path("namespace").asText("default") + "/"
                + job.tree().path("name").asText();
    }

    private static List<Located> sound(List<Located> jobs, List<String> problems) {
        Map<String, Located> known = new HashMap<>();
        for (Located job : jobs) {
            Located same = known.putIfAbsent(key(job), job);
            if (same != null) {
                problems.add(job.at("name") + ": " + key(job) + " is the same job as at " + same.at("name"));
            }
        }
        if (!problems.isEmpty()) {
            throw new WrongFiles(problems);
        }
        return jobs;
    }

    private static List<Located> read(String file, String text, List<String> problems) {
        return new Documents(problems).jobs(documents(file, text));
    }

    private static List<Located> documents(String file, String text) {
        if (file.toLowerCase(Locale.ROOT).endsWith(".json")) {
            return JsonText.read(file, text);
        }
        String start = text.stripLeading();
        if (file.equals(STANDARD_INPUT) && (start.startsWith("{") || start.startsWith("["))) {
            try {
                return JsonText.read(file, text);
            } catch (WrongFiles e) {
                return YamlText.read(file, text); // which can begin like that, too
            }
        }
        return YamlText.read(file, text);
    }

    private static String text(String file, InputStream in) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return Texts.all(in);
        }
        return Files.readString(Path.of(file));
    }

    /** What is hidden is left out: that is where editors and version control keep what is theirs. */
    private static List<String> files(String name) throws IOException {
        Path path = Path.of(name);
        if (name.equals(STANDARD_INPUT) || !Files.isDirectory(path)) {
            return List.of(name);
        }
        try (Stream<Path> all = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
            return all.filter(file -> isDefinition(path.relativize(file)) && Files.isRegularFile(file))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isDefinition(Path below) {
        String path = "/" + below;
        return !path.contains("/.") && path.toLowerCase(Locale.ROOT).matches(".*\\.(ya?ml|json)");
    }
}
