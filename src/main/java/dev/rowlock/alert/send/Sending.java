package dev.rowlock.alert.send;

import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.send.Lane.SendResult;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.ChannelStore.StoredChannel;
import dev.rowlock.alert.store.OutageReports;
import dev.rowlock.alert.store.Outbox;
import dev.rowlock.alert.store.Outbox.Claimed;
import dev.rowlock.alert.store.Outbox.Due;
import dev.rowlock.alert.store.Outbox.MessageKind;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.node.Counts.DeliveryResult;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sending of messages, on every node: a pass claims one of each kind, hands it out to be sent, and records the results
 * of others. It never waits for a receiver. As it reads the database every few seconds in any case, it also reports
 * absences of the node.
 */
public final class Sending implements Step {

    private static final Logger log = LoggerFactory.getLogger(Sending.class);

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(3);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);
    /** Time to wait for what is being sent when the node stops: no receiver takes longer. */
    private static final Duration LAST = Duration.ofSeconds(12);

    private static final int ALERTS_AT_ONCE = 16;
    private static final int PINGS_AT_ONCE = 32;
    private static final String NO_CHANNEL = "there is no such channel any more";

    private final NodeContext node;
    private final Outbox outbox;
    private final ChannelStore channels;
    private final Absence absence;
    private final Letters letters;
    private final Sender sender;
    private final KeyRing keys;
    private final List<Lane> lanes;
    /** Messages that were left to other nodes, and why: each is logged once. */
    private final Set<String> told = new HashSet<>();

    private int claims;

    /**
     * Means of delivery.
     *
     * @param executor of what waits for receivers
     */
    record DeliveryMeans(Sender sender, Executor executor) {}

    Sending(
            NodeContext node,
            Outbox outbox,
            ChannelStore channels,
            OutageReports reports,
            Letters letters,
            DeliveryMeans delivery,
            KeyRing keys) {
        this.node = node;
        this.outbox = outbox;
        this.channels = channels;
        this.absence = new Absence(node.nanos(), reports);
        this.letters = letters;
        this.sender = delivery.sender();
        this.keys = keys;
        this.lanes = List.of(
                new Lane(MessageKind.ALERT, ALERTS_AT_ONCE, delivery.executor()),
                new Lane(MessageKind.PING, PINGS_AT_ONCE, delivery.executor()));
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
            boolean more = false;
            for (Lane lane : lanes) {
                record(lane);
                more |= lane.hasRoom() && send(lane, trust);
                record(lane);
            }
            absence.ends();
            absence.report(node.settings().node());
            return more ? Pass.MORE : Pass.rest(BETWEEN_PASSES);
        } catch (DatabaseUnavailable e) {
            absence.goesOn(beganNanos, e);
            throw e;
        }
    }

    /** Waits for what is being sent, so that no other node sends it again. */
    @Override
    public void end() {
        long deadline = System.nanoTime() + LAST.toNanos();
        try {
            for (Lane lane : lanes) {
                while (!lane.isEmpty() && lane.await(deadline - System.nanoTime())) {
                    record(lane);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hands out the first message that this node can send, and returns false if there is none. */
    private boolean send(Lane lane, Trust trust) {
        Set<String> left = new TreeSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Due due : outbox.due(lane.kind(), trust.sessionId(), lane.busy(), left)) {
                MessageRoute way = way(due);
                if (way.lack == null || due.expired()) {
                    String claim = trust.sessionId() + "-" + ++claims;
                    outbox.claim(due, trust.sessionId(), claim).ifPresent(message -> send(lane, due, message, way));
                    return true;
                }
                more |= leaveToOthers(due.channel(), way.lack, left);
            }
        }
        return false;
    }

    private boolean leaveToOthers(String channel, String lack, Set<String> left) {
        if (told.add(channel + " " + lack)) {
            log.info("messages for channel {} are left to other nodes: {}", channel, lack);
        }
        return left.add(channel);
    }

    /**
     * Route of a message.
     *
     * @param channel null: it is a ping, or there is no such channel any more
     * @param lack why this node cannot send it, though another may; null: it can
     */
    private record MessageRoute(
            @Nullable AlertChannel channel, @Nullable String lack) {

        private static final MessageRoute NONE = new MessageRoute(null, null);
    }

    private MessageRoute way(Due due) {
        StoredChannel stored =
                due.isPing() ? null : channels.find(due.channel()).orElse(null);
        if (stored == null) {
            return MessageRoute.NONE;
        }
        try {
            AlertChannel channel = stored.open(keys);
            return new MessageRoute(channel, sender.lack(channel));
        } catch (CannotOpen e) {
            return new MessageRoute(null, String.valueOf(e.getMessage()));
        }
    }

    private void send(Lane lane, Due due, Claimed message, MessageRoute way) {
        String url = message.url();
        AlertChannel channel = way.channel;
        if (url != null) {
            lane.start(due, message, () -> sender.ping(url));
        } else if (way.lack != null || channel == null) {
            failed(message, Objects.requireNonNullElse(way.lack, NO_CHANNEL), false);
        } else {
            Message letter = letters.of(message);
            lane.start(due, message, () -> {
                if (letter != null) {
                    sender.send(channel, letter);
                }
            });
        }
    }

    /** Records what has ended; what cannot be recorded now stays. */
    private void record(Lane lane) {
        for (SendResult done = lane.ended(); done != null; done = lane.ended()) {
            if (done.problem() == null) {
                outbox.sent(done.message());
                node.counts().delivered(DeliveryResult.SENT);
            } else {
                failed(done.message(), done.problem(), true);
            }
            lane.recorded();
        }
    }

    private void failed(Claimed message, String reason, boolean others) {
        boolean givenUp = outbox.failed(message, reason, delay(message.attempts()), others);
        node.counts().delivered(givenUp ? DeliveryResult.GIVEN_UP : DeliveryResult.FAILED);
        String to = message.url() != null ? "a ping" : "a message for channel " + message.channel();
        if (givenUp) {
            log.error("{} was given up after {} attempts: {}", to, message.attempts(), reason);
        } else if (message.attempts() == 1) {
            log.warn("{} was not sent and is tried again: {}", to, reason);
        }
    }

    /** Returns the delay, which doubles with each attempt. */
    static Duration delay(int attempts) {
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(Math.max(attempts - 1, 0), 16));
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    }
}
