package dev.rowlock.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ETag}, {@code If-Match} and {@code If-None-Match}: honoured by resources that have an ETag, refused elsewhere.
 */
public final class EntityTags {

    static final String IF_MATCH = "If-Match";
    static final String IF_NONE_MATCH = "If-None-Match";

    /** Paths of resources with an ETag. */
    private static final Set<String> TAGGED = Set.of(
            "/jobs/{ns}/{name}",
            "/groups/{group}",
            "/calendars/{calendar}",
            "/secrets/{ns}/{name}",
            "/alerts/channels/{channel}",
            "/alerts/rules/{rule}");

    /** Actions on a job, below its path. */
    private static final Set<String> CHANGES = Set.of("/pause", "/resume", "/release", "/reschedule", "/rollback");

    private static final Pattern TAG = Pattern.compile("\\s*(?:W/)?\"([^\"]*)\"\\s*");

    private EntityTags() {}

    /** Refuses a condition that would be ignored, as its sender relies on it. */
    static void refuseIgnored(Context ctx, HandlerType method, String path) {
        for (String header : new String[] {IF_MATCH, IF_NONE_MATCH}) {
            if (ctx.header(header) != null && !honours(method, path, header)) {
                throw ApiProblem.of(400, header, "means nothing here, as this has no ETag; leave it out");
            }
        }
    }

    /** Returns whether a request to this path may have the header. */
    static boolean honours(HandlerType method, String path, String header) {
        if (path.equals("/apply")) {
            return header.equals(IF_MATCH);
        }
        int end = path.lastIndexOf('/');
        return TAGGED.contains(path)
                || (method.equals(HandlerType.POST)
                        && TAGGED.contains(path.substring(0, end))
                        && CHANGES.contains(path.substring(end)));
    }

    /** Reads the condition of a change. */
    public static Precondition precondition(Context ctx) {
        String match = ctx.header(IF_MATCH);
        String noneMatch = ctx.header(IF_NONE_MATCH);
        if (noneMatch != null && !noneMatch.strip().equals("*")) {
            throw ApiProblem.of(400, IF_NONE_MATCH, "must be *");
        }
        if (match == null || match.strip().equals("*")) {
            return new Precondition(Set.of(), match != null, noneMatch != null);
        }
        return new Precondition(tags(IF_MATCH, match), true, noneMatch != null);
    }

    private static Set<String> tags(String header, String text) {
        Set<String> tags = new HashSet<>();
        for (String part : text.split(",", -1)) {
            Matcher tag = TAG.matcher(part);
            if (!tag.matches()) {
                throw ApiProblem.of(400, header, "must be in quotes, as the ETag gives it, such as \"3\"");
            }
            tags.add(tag.group(1));
        }
        return tags;
    }

    /** Answers with a resource that has an ETag; with 304 if a GET already has it. */
    public static void answer(Context ctx, int status, JsonNode node, String tag) {
        ctx.header("ETag", "\"" + tag + "\"");
        boolean reads = ctx.method().equals(HandlerType.GET) || ctx.method().equals(HandlerType.HEAD);
        String noneMatch = reads ? ctx.header(IF_NONE_MATCH) : null;
        String match = reads ? ctx.header(IF_MATCH) : null;
        if (match != null && !isAmong(IF_MATCH, match, tag)) {
            throw new ApiProblem(412, "it is not, or no longer, the one that is named in If-Match; read it again");
        }
        if (noneMatch != null && isAmong(IF_NONE_MATCH, noneMatch, tag)) {
            ctx.status(304);
        } else {
            Json.answer(ctx, status, node);
        }
    }

    private static boolean isAmong(String header, String text, String tag) {
        return text.strip().equals("*") || tags(header, text).contains(tag);
    }
}
