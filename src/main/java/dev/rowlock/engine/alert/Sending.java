package dev.rowlock.engine.alert;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.engine.Counts;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.job.AlertChannel;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.send.Message;
import dev.rowlock.send.NotSent;
import dev.rowlock.send.Sender;
import dev.rowlock.store.alert.ChannelStore;
import dev.rowlock.store.alert.ChannelStore.Stored;
import dev.rowlock.store.alert.OutageReports;
import dev.rowlock.store.alert.Outbox;
import dev.rowlock.store.alert.Outbox.Claimed;
import dev.rowlock.store.alert.Outbox.Due;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages, on every node: a pass claims one, sends it, and records what became of it. As it asks the database
 * every few seconds whatever happens, it is also the one who reports that it was away.
 */
public final class Sending implements Step {

    private static final Logger log = LoggerFactory.getLogger(Sending.class);

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(3);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);
    private static final String NO_CHANNEL = "there is no such channel any more";

    private final NodeContext node;
    private final Outbox outbox;
    private final ChannelStore channels;
    private final Absence absence;
    private final Letters letters;
    private final Sender sender;
    private final KeyRing keys;
    /** What was left to other nodes, and why: the log says it once. */
    private final Set<String> told = new HashSet<>();

    private int claims;

    Sending(
            NodeContext node,
            Outbox outbox,
            ChannelStore channels,
            OutageReports reports,
            Letters letters,
            Sender sender,
            KeyRing keys) {
        this.node = node;
        this.outbox = outbox;
        this.channels = channels;
        this.absence = new Absence(node.nanos(), reports);
        this.letters = letters;
        this.sender = sender;
        this.keys = keys;
    }

    @Override
    public Pass runOnce() {
        long beganNanos = node.nanos().getAsLong();
        try {
            Trust trust = node.lease().current().orElse(null);
            if (trust == null) {
                outbox.reach();
                absence.ends();
                return Pass.rest(BETWEEN_PASSES);
            }
            Pass pass = send(trust);
            absence.ends();
            absence.report(node.settings().node());
            return pass;
        } catch (DatabaseUnavailable e) {
            absence.goesOn(beganNanos, e);
            throw e;
        }
    }

    private Pass send(Trust trust) {
        Set<String> left = new TreeSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Due due : outbox.due(trust.sessionId(), left)) {
                Way way = way(due);
                if (way.lack == null || due.expired()) {
                    String claim = trust.sessionId() + "-" + ++claims;
                    outbox.claim(due, trust.sessionId(), claim).ifPresent(message -> send(message, way));
                    return Pass.MORE;
                }
                more |= leaveToOthers(due.channel(), way.lack, left);
            }
        }
        return Pass.rest(BETWEEN_PASSES);
    }

    private boolean leaveToOthers(String channel, String lack, Set<String> left) {
        if (told.add(channel + " " + lack)) {
            log.info("messages for channel {} are left to other nodes: {}", channel, lack);
        }
        return left.add(channel);
    }

    /**
     * How a message gets out.
     *
     * @param channel null: it is a ping, or there is no such channel any more
     * @param lack why this node cannot send it, though another may; null: it can
     */
    private record Way(
            @Nullable AlertChannel channel, @Nullable String lack) {

        private static final Way NONE = new Way(null, null);
    }

    private Way way(Due due) {
        Stored stored = due.isPing() ? null : channels.find(due.channel()).orElse(null);
        if (stored == null) {
            return Way.NONE;
        }
        try {
            AlertChannel channel = stored.open(keys);
            return new Way(channel, sender.lack(channel));
        } catch (CannotOpen e) {
            return new Way(null, String.valueOf(e.getMessage()));
        }
    }

    private void send(Claimed message, Way way) {
        try {
            if (message.url() != null) {
                sender.ping(message.url());
            } else if (way.lack != null || way.channel == null) {
                failed(message, Objects.requireNonNullElse(way.lack, NO_CHANNEL), false);
                return;
            } else {
                Message letter = letters.of(message);
                if (letter != null) {
                    sender.send(way.channel, letter);
                }
            }
            node.counts().delivered(Counts.Delivery.SENT);
            outbox.sent(message);
        } catch (NotSent e) {
            failed(message, e.reason(), true);
        }
    }

    private void failed(Claimed message, String reason, boolean others) {
        boolean givenUp = outbox.failed(message, reason, delay(message.attempts()), others);
        node.counts().delivered(givenUp ? Counts.Delivery.GIVEN_UP : Counts.Delivery.FAILED);
        String to = message.url() != null ? "a ping" : "a message for channel " + message.channel();
        if (givenUp) {
            log.error("{} was given up after {} attempts: {}", to, message.attempts(), reason);
        } else if (message.attempts() == 1) {
            log.warn("{} was not sent and is tried again: {}", to, reason);
        }
    }

    /** It doubles with each attempt. */
    static Duration delay(int attempts) {
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(Math.max(attempts - 1, 0), 16));
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    }
}
