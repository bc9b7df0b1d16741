package dev.rowlock.engine;

import dev.rowlock.engine.alert.AlertAgent;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.send.Destinations;
import dev.rowlock.send.Sender;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Alerts of nodes in whose tests nobody is told anything. */
final class Undelivered {

    private Undelivered() {}

    static AlertAgent.Settings settings(Path dir) {
        Destinations nowhere = new Destinations(List.of(), host -> {
            throw new UnknownHostException(host);
        });
        Sender sender = new Sender(nowhere, null, Map.of(), new OperatorCommand(dir));
        return new AlertAgent.Settings(sender, null, null, Duration.ofMinutes(1));
    }
}
