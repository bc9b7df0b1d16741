package dev.rowlock.alert;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.List;

/** Message as JSON: {@code type}, {@code timestamp} and {@code data}, as in Standard Webhooks. */
public final class MessageJson {

    private MessageJson() {}

    /**
     * @param parts the first ones
     * @param total of all
     */
    public static ObjectNode of(MessageText text, List<MessagePart> parts, int total, Instant at) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("type", type(parts, total));
        json.put("timestamp", Times.text(at));
        ObjectNode data = json.putObject("data");
        data.put("subject", text.subject());
        data.put("text", text.body());
        data.put("total", total);
        ArrayNode alerts = data.putArray("alerts");
        parts.forEach(part -> alerts.add(part(part)));
        return json;
    }

    /** Creates a message without alerts, to test a channel. */
    public static ObjectNode test(String subject, String text, Instant at) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("type", "test");
        json.put("timestamp", Times.text(at));
        ObjectNode data = json.putObject("data");
        data.put("subject", subject);
        data.put("text", text);
        data.put("total", 0);
        data.putArray("alerts");
        return json;
    }

    private static String type(List<MessagePart> parts, int total) {
        if (total != 1) {
            return "alerts";
        }
        MessagePart part = parts.get(0);
        String type = MessageText.type(part.alert().condition());
        return part.kind() == PartKind.RECOVERED ? type.substring(0, type.indexOf('.')) + ".recovered" : type;
    }

    private static ObjectNode part(MessagePart part) {
        ObjectNode json = alert(part.alert());
        json.put("kind", part.kind().name());
        ArrayNode output = json.putArray("output");
        part.tail().forEach(output::add);
        return json;
    }

    /** Returns the JSON of an alert. */
    public static ObjectNode alert(RaisedAlert alert) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", alert.id());
        json.put("rule", alert.rule());
        json.put("condition", alert.condition().name());
        json.put("namespace", alert.job() == null ? null : alert.job().namespace());
        json.put("job", alert.job() == null ? null : alert.job().name());
        json.put("task", alert.task());
        json.put("node", alert.node());
        json.put("at", Times.text(alert.at()));
        json.put("raisedAt", Times.text(alert.raisedAt()));
        json.put("state", alert.isOpen() ? "OPEN" : "CLOSED");
        json.put("closedAt", Times.orNull(alert.closedAt()));
        json.put("closedBecause", alert.closedWhy());
        json.set("detail", alert.detail());
        return json;
    }
}
