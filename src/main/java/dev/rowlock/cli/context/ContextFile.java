package dev.rowlock.cli.context;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Generators;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.WrongFiles;
import dev.rowlock.yaml.YamlText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code ~/.config/rowlock/config.yaml}: clusters by name, and which of them is meant. It may hold tokens, so that it
 * is used only if nobody else can read it.
 *
 * @param current null: none is chosen
 */
public record ContextFile(Path path, @Nullable String current, Map<String, NamedContext> contexts) {

    private static final Set<String> FIELDS = Set.of("url", "token", "token-file", "ca");

    /** Returns where it is, whether there is one or not. */
    public static Path place(Map<String, String> environment) {
        String base = environment.getOrDefault("XDG_CONFIG_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path config = base.isEmpty() ? Path.of(home, ".config") : Path.of(base);
        return config.resolve("rowlock").resolve("config.yaml");
    }

    /**
     * Reads it; there is nothing in one that is not there.
     *
     * @throws WrongContext it cannot be used
     */
    public static ContextFile read(Path path) {
        if (!Files.exists(path)) {
            return new ContextFile(path, null, Map.of());
        }
        try {
            requireOwn(path);
            return of(path, YamlText.one(path.toString(), Files.readString(path)));
        } catch (WrongFiles e) {
            throw new WrongContext(String.join("; ", e.sentences()));
        } catch (IOException e) {
            throw new WrongContext(path + " cannot be read: " + e.getMessage());
        }
    }

    private static void requireOwn(Path path) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
        Set<PosixFilePermission> others = EnumSet.copyOf(mode);
        others.removeAll(PosixFilePermissions.fromString("rwx------"));
        if (!others.isEmpty()) {
            throw new WrongContext(path + " may hold tokens, and others can use it ("
                    + PosixFilePermissions.toString(mode) + "); run: chmod 600 " + path);
        }
    }

    private static ContextFile of(Path path, JsonNode said) {
        requireKnown(path, "", said, Set.of("current", "contexts"));
        Map<String, NamedContext> contexts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> context : said.path("contexts").properties()) {
            String place = "contexts." + context.getKey();
            requireKnown(path, place + ".", context.getValue(), FIELDS);
            String url = text(context.getValue(), "url");
            if (url == null) {
                throw new WrongContext(path + ": " + place + ".url is required, such as http://127.0.0.1:7575");
            }
            contexts.put(
                    context.getKey(),
                    new NamedContext(
                            url,
                            text(context.getValue(), "token"),
                            text(context.getValue(), "token-file"),
                            text(context.getValue(), "ca")));
        }
        return new ContextFile(path, text(said, "current"), contexts);
    }

    private static void requireKnown(Path path, String place, JsonNode said, Set<String> known) {
        if (!said.isObject() && !said.isMissingNode() && !said.isNull()) {
            throw new WrongContext(path + ": " + (place.isEmpty() ? "it" : place) + " must be a map of "
                    + String.join(", ", new TreeSet<>(known)));
        }
        for (Map.Entry<String, JsonNode> field : said.properties()) {
            if (!known.contains(field.getKey())) {
                throw new WrongContext(path + ": " + place + field.getKey() + " is not known; there are "
                        + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    private static @Nullable String text(JsonNode of, String field) {
        JsonNode value = of.path(field);
        return value.isMissingNode() || value.isNull() ? null : value.asText();
    }

    /** Returns the context of this name. */
    public NamedContext get(String name) {
        NamedContext found = contexts.get(name);
        if (found == null) {
            throw new WrongContext("there is no context " + name + " in " + path + "; "
                    + (contexts.isEmpty()
                            ? "there is none at all: rowlock config set-context " + name + " --url URL makes it"
                            : "there are " + String.join(", ", contexts.keySet())));
        }
        return found;
    }

    public ContextFile withCurrent(String name) {
        get(name);
        return new ContextFile(path, name, contexts);
    }

    public ContextFile with(String name, NamedContext context) {
        Map<String, NamedContext> all = new TreeMap<>(contexts);
        all.put(name, context);
        return new ContextFile(path, current == null ? name : current, all);
    }

    /** Returns what it says, with tokens as three asterisks unless they are asked for. */
    public ObjectNode tree(boolean tokens) {
        ObjectNode tree = Trees.object();
        tree.put("current", current);
        ObjectNode all = tree.putObject("contexts");
        contexts.forEach((name, context) -> {
            ObjectNode one = all.putObject(name).put("url", context.url());
            if (context.token() != null) {
                one.put("token", tokens ? context.token() : "***");
            }
            if (context.tokenFile() != null) {
                one.put("token-file", context.tokenFile());
            }
            if (context.authorities() != null) {
                one.put("ca", context.authorities());
            }
        });
        return tree;
    }

    /** Replaces the file by this, for its owner's eyes only. */
    public void write() {
        try {
            Path dir = Objects.requireNonNull(path.toAbsolutePath().getParent());
            Files.createDirectories(dir);
            Path whole = dir.resolve("config.yaml.new");
            Files.deleteIfExists(whole);
            var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            try (OutputStream to = Channels.newOutputStream(Files.newByteChannel(
                            whole, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode));
                    var yaml = Generators.yaml(to)) {
                Trees.write(tree(true), yaml);
            }
            Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new WrongContext(path + " cannot be written: " + e.getMessage());
        }
    }
}
