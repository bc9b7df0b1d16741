package dev.rowlock.http;

import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.TimeText;
import dev.rowlock.schedule.Zones;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values in a request's path, query and headers; wrong ones are refused by name. */
public final class Parameters {

    private static final Pattern ETAG = Pattern.compile("\\s*(?:W/)?\"([^\"]*)\"\\s*");
    public static final ZoneId UTC = ZoneId.of("UTC");

    /** Parameter for the zone of times. */
    static final String ZONE = "zone";

    /** Farthest distance in time: nobody means a time before 1970. */
    private static final Duration FARTHEST = Duration.ofDays(18_250);

    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final Context ctx;
    private final Map<String, List<String>> query;

    /** @throws ApiProblem a parameter of the query cannot be decoded */
    public Parameters(Context ctx) {
        this.ctx = ctx;
        this.query = QueryString.parse(ctx.queryString());
    }

    /** Reads all of them before refusing any, so that the client sees everything that is wrong at once. */
    public static void all(Runnable... readings) {
        List<FieldProblem> problems = new ArrayList<>();
        for (Runnable reading : readings) {
            try {
                reading.run();
            } catch (ApiProblem e) {
                e.errors.stream().filter(p -> !problems.contains(p)).forEach(problems::add);
            }
        }
        if (!problems.isEmpty()) {
            String detail =
                    problems.stream().map(p -> p.field() + " " + p.message()).collect(Collectors.joining("; "));
            throw new ApiProblem(400, detail, problems, Map.of());
        }
    }

    public void allowOnly(Set<String> known) {
        for (String name : query.keySet()) {
            if (!known.contains(name)) {
                String all = known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known));
                throw ApiProblem.of(400, name, "is not a parameter here; there are " + all);
            }
        }
    }

    public JobKey job() {
        JobKey key = new JobKey(ctx.pathParam("ns"), ctx.pathParam("name"));
        require("job", key.toString(), "namespace", Names.namespaceProblem(key.namespace()));
        require("job", key.toString(), "name", Names.jobProblem(key.name()));
        return key;
    }

    public String token() {
        return named("token");
    }

    public String group() {
        return named("group");
    }

    public String channel() {
        return named("channel");
    }

    public String rule() {
        return named("rule");
    }

    private String named(String what) {
        String name = ctx.pathParam(what);
        require(what, name, "name", Names.groupProblem(name));
        return name;
    }

    public JobKey secret() {
        JobKey key = new JobKey(ctx.pathParam("ns"), ctx.pathParam("name"));
        require("secret", key.toString(), "namespace", Names.namespaceProblem(key.namespace()));
        require("secret", key.toString(), "name", Names.secretProblem(key.name()));
        return key;
    }

    public String namespace() {
        String namespace = ctx.pathParam("ns");
        require("secret", namespace + "/…", "namespace", Names.namespaceProblem(namespace));
        return namespace;
    }

    /**
     * Refuses an impossible name: with 404, as there can be nothing there, or with 422 if something is to be put there.
     */
    private void require(String what, String name, String field, @Nullable String problem) {
        if (problem != null) {
            throw new ApiProblem(
                    ctx.method().equals(HandlerType.PUT) ? 422 : 404,
                    "there cannot be a " + what + " '" + name + "': its " + field + " " + problem,
                    List.of(new FieldProblem(field, problem)),
                    Map.of());
        }
    }

    public int version() {
        String text = ctx.pathParam("version");
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new ApiProblem(404, "there is no version '" + text + "': versions are whole numbers from 1");
        }
        return Integer.parseInt(text);
    }

    public long taskId() {
        return id("task");
    }

    public long backfill() {
        return id("backfill");
    }

    private long id(String what) {
        String text = ctx.pathParam("id");
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new ApiProblem(404, "there is no " + what + " '" + text + "': ids are whole numbers from 1");
        }
        return Long.parseLong(text);
    }

    /** Returns the value; null if absent. Refuses more than one. */
    public @Nullable String text(String name) {
        List<String> values = texts(name);
        if (values.size() > 1) {
            throw ApiProblem.of(400, name, "must be given once, not " + values.size() + " times");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** Returns all values of a repeatable parameter. */
    List<String> texts(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        for (String value : values) {
            if (value.isEmpty() || value.length() > 1000 || value.indexOf('\0') >= 0) {
                throw ApiProblem.of(400, name, "must be 1 to 1000 characters, none of them NUL");
            }
        }
        return values;
    }

    public int number(String name, int min, int max, int otherwise) {
        String text = text(name);
        if (text == null) {
            return otherwise;
        }
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= min && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        throw ApiProblem.of(400, name, "must be a whole number from " + min + " to " + max + ", not '" + text + "'");
    }

    public boolean flag(String name) {
        String text = text(name);
        if (text != null && !text.matches("true|false")) {
            throw ApiProblem.of(400, name, "must be true or false, not '" + text + "'");
        }
        return "true".equals(text);
    }

    public @Nullable String word(String name, List<String> words) {
        String text = text(name);
        if (text != null && !words.contains(text)) {
            throw ApiProblem.of(400, name, "must be one of " + String.join(", ", words) + ", not '" + text + "'");
        }
        return text;
    }

    /** Returns a time as people write it, between the years 1970 and 9998. */
    public @Nullable TimeText time(String name) {
        String text = text(name);
        return text == null
                ? null
                : TimeText.parse(text)
                        .filter(time -> time.inUtc().isEmpty() || instantOf(text) != null)
                        .filter(time -> time.span() == null || time.span().compareTo(FARTHEST) <= 0)
                        .orElseThrow(() -> ApiProblem.of(
                                400,
                                name,
                                "must be " + TimeText.FORMS + ", with a plus sign written as %2B, not '" + text + "'"));
    }

    /** Returns the time zone; null if none is named. */
    public @Nullable ZoneId zone() {
        String text = text(ZONE);
        try {
            return text == null ? null : Zones.of(text);
        } catch (DateTimeException e) {
            throw ApiProblem.of(400, ZONE, Zones.problem(String.valueOf(text)));
        }
    }

    /** Parses an instant; null if the text is none that can be stored. */
    public static @Nullable Instant instantOf(String text) {
        return TimeText.parse(text)
                .flatMap(TimeText::inUtc)
                .filter(t -> !t.isBefore(Instant.EPOCH) && t.isBefore(LATEST))
                .orElse(null);
    }

    /**
     * Returns the parts of an opaque page cursor; null if there is none.
     *
     * @param list that it has to be of
     */
    public String @Nullable [] cursor(String list, int parts) {
        String text = text("cursor");
        if (text == null) {
            return null;
        }
        try {
            String[] found = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split("\n", -1);
            if (found.length == parts + 1 && found[0].equals(list)) {
                return Arrays.copyOfRange(found, 1, found.length);
            }
            throw brokenCursor();
        } catch (IllegalArgumentException e) {
            throw brokenCursor();
        }
    }

    public static ApiProblem brokenCursor() {
        return ApiProblem.of(
                400, "cursor", "is not one that this server gave out for this list; start again without it");
    }

    /** @param list that it is of */
    public static String cursorOf(String list, String... parts) {
        String text = list + "\n" + String.join("\n", parts);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the idempotency key; null: a repeated request counts as another one. */
    public static @Nullable String idempotencyKey(Context ctx) {
        String key = ctx.header("Idempotency-Key");
        if (key != null && (key.isBlank() || key.length() > 200)) {
            throw ApiProblem.of(400, "Idempotency-Key", "must be 1 to 200 characters");
        }
        return key;
    }

    public Precondition precondition() {
        return EntityTags.precondition(ctx);
    }

    /** Returns the plan that If-Match names; null if the header is absent, {@code *} if any will do. */
    public @Nullable String planTag() {
        String match = ctx.header("If-Match");
        if (match == null || match.strip().equals("*")) {
            return match;
        }
        Matcher tag = ETAG.matcher(match);
        String found = tag.matches() ? tag.group(1) : match.strip();
        if (!found.matches("[0-9A-Za-z]{1,100}")) {
            throw ApiProblem.of(
                    400,
                    "If-Match",
                    "must be the etag of a plan in quotes, such as \"9f86d081884c7d659a2feaa0c55ad015\"");
        }
        return found;
    }

    /** Returns the labels to look for, each as {@code name} or {@code name=value}. */
    public List<JobFilter.Label> labels() {
        List<JobFilter.Label> labels = new ArrayList<>();
        for (String text : texts("label")) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            if (!Names.isLabel(name) || labels.size() == 20) {
                throw ApiProblem.of(400, "label", "must be name or name=value, at most 20 times, not '" + text + "'");
            }
            labels.add(new JobFilter.Label(name, equals < 0 ? null : text.substring(equals + 1)));
        }
        return labels;
    }
}
