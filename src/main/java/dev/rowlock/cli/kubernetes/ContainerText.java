package dev.rowlock.cli.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The container of a pod as the command of a job. */
final class ContainerText {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\$|\\$\\(([A-Za-z_.-][A-Za-z0-9_.-]*)\\)");
    private static final Pattern SHELL = Pattern.compile("(?:/usr)?(?:/bin/)?(bash|sh)");
    private static final Pattern MEMORY = Pattern.compile("([1-9][0-9]{0,8})(Ki|Mi|Gi|Ti)");

    private final JsonNode container;
    private final Draft draft;
    private final Map<String, String> env = new LinkedHashMap<>();

    ContainerText(JsonNode container, Draft draft) {
        this.container = container;
        this.draft = draft;
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
        }
        JsonNode user = container.path("securityContext").path("runAsUser");
        if (user.isInt()) {
            draft.job().put("user", user.intValue());
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
        for (JsonNode variable : container.path("env")) {
            String name = variable.path("name").asText();
            if (variable.has("valueFrom")) {
                elsewhere.add(name + from(variable.path("valueFrom")));
            } else {
                env.put(name, expanded(variable.path("value").asText("")));
            }
        }
        if (!env.isEmpty()) {
            ObjectNode to = draft.job().putObject("env");
            env.forEach(to::put);
        }
        if (!elsewhere.isEmpty()) {
            draft.remark("left out: " + String.join(", ", elsewhere)
                    + "; put secrets into secretEnv (rowlock secret set), the rest into env");
        }
        if (container.has("envFrom")) {
            draft.remark("left out: the variables of envFrom; put them into env or secretEnv");
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

    private void command(String image) {
        List<String> words = new ArrayList<>();
        container.path("command").forEach(word -> words.add(expanded(word.asText())));
        if (words.isEmpty()) {
            draft.lackCommand("the image " + image + " knows what it runs, and the manifest does not say it: name it as"
                    + " command");
        }
        container.path("args").forEach(word -> words.add(expanded(word.asText())));
        Matcher shell = SHELL.matcher(words.isEmpty() ? "" : words.get(0));
        if (words.size() == 3 && shell.matches() && words.get(1).equals("-c")) {
            draft.job().put("shell", shell.group(1)).put("command", words.get(2));
        } else {
            draft.job().put("shell", "none");
            words.forEach(draft.job().putArray("command")::add);
        }
    }

    /** {@code $(NAME)} is what a variable in front of it says; what is not known stays as it is. */
    private String expanded(String text) {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = name == null ? "$" : env.getOrDefault(name, matcher.group());
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(expanded).toString();
    }

    private void limits(JsonNode limits) {
        Matcher memory = MEMORY.matcher(limits.path("memory").asText(""));
        if (memory.matches()) {
            draft.job().putObject("limits").put("memory", memory.group(1) + memory.group(2) + "B");
        }
        if (limits.has("cpu")) {
            draft.remark("left out: the limit of " + limits.path("cpu").asText() + " CPUs; nice makes it step back");
        }
    }
}
