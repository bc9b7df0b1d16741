package dev.rowlock.node;

import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.alert.send.Destinations;
import dev.rowlock.alert.send.Sender;
import dev.rowlock.exec.OperatorCommand;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Alerts of nodes in whose tests nobody is told anything. */
final class Undelivered {

    private Undelivered() {}

    static AlertSettings settings(Path dir) {
        Destinations nowhere = new Destinations(List.of(), host -> {
            throw new UnknownHostException(host);
        });
        Sender sender = new Sender(nowhere, null, Map.of(), new OperatorCommand(dir));
        return new AlertSettings(sender, null, null, Duration.ofMinutes(1));
    }
}
