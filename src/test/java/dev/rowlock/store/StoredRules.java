package dev.rowlock.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.job.AlertChannel;
import dev.rowlock.job.AlertRule;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.store.alert.ChannelStore;
import dev.rowlock.store.alert.RuleStore;
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
