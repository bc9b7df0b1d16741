package dev.rowlock.cli.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Container of a pod as the command of a job. */
final class ContainerText {

    private static final Pattern SHELL = Pattern.compile("(?:/usr)?(?:/bin/)?(bash|sh)");
    /** Suffixes of a quantity, and their factors. */
    private static final Pattern QUANTITY =
            Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:([eE][+-]?[0-9]{1,3})|([KMGTPE]i)|([mkMGTPE]))?");

    private static final String BINARY = "KMGTPE";
    private static final String DECIMAL = "kMGTPE";

    private final JsonNode container;
    private final Draft draft;
    private final References references;

    ContainerText(JsonNode container, Draft draft) {
        this.container = container;
        this.draft = draft;
        this.references = new References(draft, container.path("envFrom").size() > 0);
    }

    void addTo() {
        String image = container.path("image").asText("?");
        draft.remark("it ran in the image " + image + ": what the command needs has to be on the nodes, or the command"
                + " starts a container itself, as docker run --rm does");
        environment();
        command(image);
        String workdir = container.path("workingDir").asText("");
        if (workdir.startsWith("/")) {
            draft.job().put("workdir", workdir);
        } else if (!workdir.isEmpty()) {
            draft.lack("left out: workingDir " + workdir + ", which counts from that of the image");
        }
        limits(container.path("resources").path("limits"));
        List<String> mounts = new ArrayList<>();
        container
                .path("volumeMounts")
                .forEach(mount -> mounts.add(mount.path("mountPath").asText()));
        if (!mounts.isEmpty()) {
            draft.remark("left out: what was mounted at " + String.join(", ", mounts));
        }
    }

    private void environment() {
        List<String> elsewhere = new ArrayList<>();
        Map<String, String> env = new LinkedHashMap<>();
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asText();
            String value = variable.path("value").asText("");
            if (variable.has("valueFrom")) {
                elsewhere.add(name + from(variable.path("valueFrom")));
                references.unknown(name);
            } else if (references.areKnown(value)) {
                env.put(name, references.expanded(value));
                references.known(name, env.get(name));
            } else {
                elsewhere.add(name + " (" + value + ")");
                references.unknown(name);
            }
        }
        if (!env.isEmpty()) {
            ObjectNode to = draft.job().putObject("env");
            env.forEach(to::put);
        }
        if (!elsewhere.isEmpty()) {
            draft.lack("left out: " + String.join(", ", elsewhere)
                    + "; put secrets into secretEnv (rowlock secret set), the rest into env");
        }
        List<String> sources = new ArrayList<>();
        for (JsonNode source : container.path("envFrom")) {
            String name = source.path("secretRef").path("name").asText("");
            String map = source.path("configMapRef").path("name").asText("");
            sources.add(name.isEmpty() ? "config map " + map : "secret " + name);
        }
        if (!sources.isEmpty()) {
            draft.lack("left out: the variables of envFrom (" + String.join(", ", sources)
                    + "); put them into env or secretEnv");
        }
    }

    private static String from(JsonNode source) {
        JsonNode secret = source.path("secretKeyRef");
        JsonNode map = source.path("configMapKeyRef");
        return secret.isObject()
                ? " (secret " + secret.path("name").asText() + "/"
                        + secret.path("key").asText() + ")"
                : map.isObject()
                        ? " (config map " + map.path("name").asText() + "/"
                                + map.path("key").asText() + ")"
                        : " (of the pod)";
    }

    /** Returns its command and arguments, for people. */
    static String shown(JsonNode container) {
        List<String> words = new ArrayList<>();
        container.path("command").forEach(word -> words.add(word.asText()));
        container.path("args").forEach(word -> words.add(word.asText()));
        return words.isEmpty()
                ? "what the image " + container.path("image").asText("?") + " runs"
                : String.join(" ", words).strip().replaceAll("\\s+", " ");
    }

    private void command(String image) {
        List<String> words = new ArrayList<>();
        container.path("command").forEach(word -> words.add(word.asText()));
        if (words.isEmpty()) {
            draft.lackCommand("the image " + image + " knows what it runs, and the manifest does not say it: name it as"
                    + " command");
        }
        container.path("args").forEach(word -> words.add(word.asText()));
        Matcher shell = SHELL.matcher(words.isEmpty() ? "" : words.get(0));
        String options = words.size() < 3 ? "" : String.join(" ", words.subList(1, words.size() - 1));
        if (shell.matches() && options.matches("(?:-[eux]+ |-[eux]*o pipefail )*-[eux]*c")) {
            String set = options.replaceFirst(" ?-c$", "").replaceFirst("c$", "");
            draft.job()
                    .put("shell", shell.group(1))
                    .put(
                            "command",
                            (set.isEmpty() ? "" : "set " + set + "\n")
                                    + references.inShell(words.get(words.size() - 1)));
        } else if (words.stream().allMatch(references::areKnown)) {
            draft.job().put("shell", "none");
            words.forEach(word -> draft.job().withArray("command").add(references.expanded(word)));
        } else {
            draft.job()
                    .put("shell", "sh")
                    .put(
                            "command",
                            String.join(
                                    " ", words.stream().map(references::asWord).toList()));
        }
    }

    private void limits(JsonNode limits) {
        String said = limits.path("memory").asText("");
        if (!said.isEmpty()) {
            String memory = memory(said);
            if (memory == null) {
                draft.remark("left out: the limit of memory, " + said);
            } else {
                draft.job().putObject("limits").put("memory", memory);
            }
        }
        if (limits.has("cpu")) {
            draft.remark("left out: the limit of " + limits.path("cpu").asText() + " CPUs; nice makes it step back");
        }
    }

    /** Returns a quantity of Kubernetes in whole bytes, or in MiB; null if it is none. */
    static @Nullable String memory(String quantity) {
        Matcher matcher = QUANTITY.matcher(quantity);
        if (!matcher.matches()) {
            return null;
        }
        BigDecimal bytes = new BigDecimal(matcher.group(1) + (matcher.group(2) == null ? "" : matcher.group(2)));
        if (matcher.group(3) != null) {
            bytes = bytes.multiply(
                    BigDecimal.valueOf(1024).pow(BINARY.indexOf(matcher.group(3).charAt(0)) + 1));
        } else if ("m".equals(matcher.group(4))) {
            bytes = bytes.movePointLeft(3);
        } else if (matcher.group(4) != null) {
            bytes = bytes.movePointRight(3 * (DECIMAL.indexOf(matcher.group(4)) + 1));
        }
        long whole = bytes.min(BigDecimal.valueOf(Long.MAX_VALUE >> 1)).longValue();
        long mebi = 1L << 20;
        return whole % mebi == 0 && whole > 0 ? whole / mebi + "MiB" : String.valueOf(whole);
    }
}
