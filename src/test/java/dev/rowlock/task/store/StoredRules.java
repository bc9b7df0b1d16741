package dev.rowlock.task.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.secret.KeyRing;
import java.io.IOException;

/** Alert rules as people make them, and the channel {@code ops} that all of them name. */
final class StoredRules {

    private final Database database;

    StoredRules(Database database) throws IOException {
        this.database = database;
        ChannelStore channels = new ChannelStore(database);
        channels.put(
                "ops",
                AlertChannel.parse(json("{\"type\": \"command\", \"destination\": \"page\"}")),
                channels.find("ops").orElse(null),
                KeyRing.EMPTY,
                Audit.NONE);
    }

    void put(String name, String fields) throws IOException {
        new RuleStore(database)
                .put(name, AlertRule.parse(json("{" + fields + ", \"channels\": [\"ops\"]}")), seen -> {}, Audit.NONE);
    }

    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) new ObjectMapper().readTree(text);
    }
}
