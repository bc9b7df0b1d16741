package dev.rowlock.cli.files;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.Located.Position;
import dev.rowlock.yaml.WrongFiles;
import dev.rowlock.yaml.YamlText;
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
import org.jspecify.annotations.Nullable;

/** Definitions of jobs in files, in the order in which they stand there. */
public final class JobFiles {

    private static final String STANDARD_INPUT = "-";

    private JobFiles() {}

    /**
     * Reads all jobs of these files, with their defaults.
     *
     * @param named files; directories with all that is YAML or JSON in them and below; {@code -}: standard input
     * @throws WrongFiles with all that can be told without asking a node
     */
    public static List<Located> read(List<String> named, InputStream in) {
        return read(named, in, Trees.object());
    }

    /**
     * Reads all jobs of these files, and their calendars.
     *
     * @param calendars those that are found are added, by their names
     * @throws WrongFiles with all that can be told without asking a node
     */
    public static List<Located> read(List<String> named, InputStream in, ObjectNode calendars) {
        List<String> problems = new ArrayList<>();
        List<Located> jobs = new ArrayList<>();
        for (String name : named) {
            try {
                for (String file : files(name)) {
                    read(file, in, jobs, calendars, problems);
                }
            } catch (NoSuchFileException e) {
                problems.add(name + ": there is no such file or directory");
            } catch (UncheckedIOException e) {
                problems.add(name + " cannot be read: " + e.getCause());
            } catch (IOException e) {
                problems.add(name + " cannot be read: " + TextReader.reason(e));
            }
        }
        return sound(jobs, problems);
    }

    /** Reads one file; one that cannot be understood keeps nobody from hearing of the others. */
    private static void read(
            String file, InputStream in, List<Located> jobs, ObjectNode calendars, List<String> problems)
            throws IOException {
        try {
            jobs.addAll(read(file, TextReader.of(file, in), calendars, problems));
        } catch (WrongFiles e) {
            problems.addAll(e.sentences());
        } catch (CharacterCodingException e) {
            problems.add(file + ": this is no text in UTF-8");
        }
    }

    /**
     * Reads all jobs of one text.
     *
     * @param file what it is called
     */
    public static List<Located> parse(String file, String text) {
        List<String> problems = new ArrayList<>();
        List<Located> jobs = new ArrayList<>();
        try {
            jobs.addAll(read(file, text, Trees.object(), problems));
        } catch (WrongFiles e) {
            problems.addAll(e.sentences());
        }
        return sound(jobs, problems);
    }

    /**
     * Reads the documents of a text, which need not be about jobs.
     *
     * @param file what it is called
     */
    public static List<JsonNode> trees(String file, String text) {
        return documents(file, text).stream().map(Located::tree).toList();
    }

    /** Returns the namespace and the name of a job. */
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

    private static List<Located> read(String file, String text, ObjectNode calendars, List<String> problems) {
        return new Documents(problems, calendars).jobs(documents(file, text));
    }

    private static List<Located> documents(String file, String text) {
        if (file.toLowerCase(Locale.ROOT).endsWith(".json")) {
            return json(file, text);
        }
        String start = text.stripLeading();
        if (file.equals(STANDARD_INPUT) && (start.startsWith("{") || start.startsWith("["))) {
            try {
                return json(file, text);
            } catch (WrongFiles e) {
                return YamlText.read(file, text); // which can begin like that, too
            }
        }
        return YamlText.read(file, text);
    }

    /** Reads JSON, one or several values one after the other. */
    private static List<Located> json(String file, String text) {
        List<Located> values = new ArrayList<>();
        try (JsonParser parser = Trees.parser(text)) {
            while (parser.nextToken() != null) {
                Map<String, Position> places = new HashMap<>();
                places.put("", position(file, parser.currentTokenLocation()));
                JsonNode tree = Trees.read(parser, (path, again) -> {
                    Position here = position(file, parser.currentTokenLocation());
                    Position first = places.put(path, here);
                    if (again && first != null) {
                        throw new WrongFiles(
                                here, parser.currentName() + " is here twice, first in line " + first.line());
                    }
                });
                values.add(new Located(tree, places));
            }
            return values;
        } catch (JsonProcessingException e) {
            throw new WrongFiles(position(file, e.getLocation()), "this is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Position position(String file, @Nullable JsonLocation at) {
        return at == null ? new Position(file, 1, 1) : new Position(file, at.getLineNr(), at.getColumnNr());
    }

    /** Lists the files; hidden ones are left out, as editors and version control keep what is theirs in them. */
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
