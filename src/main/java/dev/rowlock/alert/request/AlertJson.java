package dev.rowlock.alert.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.MessageJson;
import dev.rowlock.alert.store.AlertQueries.AlertMessage;
import dev.rowlock.alert.store.AlertQueries.ListedAlert;
import dev.rowlock.alert.store.ChannelStore.StoredChannel;
import dev.rowlock.alert.store.RuleStore.StoredRule;
import dev.rowlock.alert.store.SilenceStore.StoredSilence;
import dev.rowlock.field.Times;

/** Alerts, channels, rules and silences as JSON for people. */
final class AlertJson {

    private AlertJson() {}

    static ObjectNode shown(ListedAlert listed) {
        ObjectNode json = MessageJson.alert(listed.alert());
        json.put("sending", listed.alert().sending());
        json.put("messageCount", listed.total());
        var messages = json.putArray("messages");
        for (AlertMessage message : listed.messages()) {
            ObjectNode node = messages.addObject();
            node.put("id", message.id());
            node.put("kind", message.kind());
            node.put("channel", message.channel());
            node.put("state", message.state());
            node.put("attempts", message.attempts());
            node.put("nextAt", Times.orNull(message.nextAt()));
            node.put("sentAt", Times.orNull(message.sentAt()));
            node.put("lastError", message.lastError());
        }
        return json;
    }

    static ObjectNode shown(StoredChannel stored) {
        ObjectNode json = stored.shown().deepCopy();
        json.put("name", stored.name());
        json.put("createdAt", Times.text(stored.createdAt()));
        return json.put("updatedAt", Times.text(stored.updatedAt()));
    }

    static ObjectNode shown(StoredRule stored) {
        ObjectNode json = stored.rule().json();
        json.put("name", stored.name());
        json.put("createdAt", Times.text(stored.createdAt()));
        return json.put("updatedAt", Times.text(stored.updatedAt()));
    }

    static ObjectNode shown(StoredSilence stored) {
        ObjectNode json = stored.silence().json();
        json.put("id", stored.id());
        json.put("active", stored.active());
        return json.put("createdAt", Times.text(stored.createdAt()));
    }
}
