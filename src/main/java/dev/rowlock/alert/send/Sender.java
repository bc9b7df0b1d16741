package dev.rowlock.alert.send;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.exec.OperatorCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sender of messages over channels. Thread-safe. */
public final class Sender implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Longest text: nobody reads more, and it has to fit into the system's buffers of a connection. */
    private static final int MOST_CHARS = 30_000;

    private final WebClient web;
    private final Destinations destinations;
    private final @Nullable Mail mail;
    private final Map<String, String> commands;
    private final OperatorCommand runner;

    /**
     * @param mailServer null: this node sends no e-mail
     * @param commands by the names under which channels know them
     */
    public Sender(
            Destinations destinations,
            @Nullable MailServer mailServer,
            Map<String, String> commands,
            OperatorCommand runner) {
        this.destinations = destinations;
        this.web = new WebClient(destinations, TIMEOUT);
        this.mail = mailServer == null ? null : new Mail(mailServer, TIMEOUT);
        this.commands = Map.copyOf(commands);
        this.runner = runner;
    }

    /** Returns why this node cannot send over such a channel, though another may; null: it can. */
    public @Nullable String lack(AlertChannel channel) {
        return switch (channel.type()) {
            case WEBHOOK, SLACK -> null;
            case EMAIL -> mail == null ? "this node has no smtp.host in its configuration" : null;
            case COMMAND ->
                commands.containsKey(channel.destination())
                        ? null
                        : "this node has no command '" + channel.destination() + "' in alerts.commands";
        };
    }

    /** Returns what is wrong with a destination, as far as that can be told without trying; null: nothing. */
    public @Nullable String problem(AlertChannel channel) {
        return switch (channel.type()) {
            case WEBHOOK, SLACK -> destinations.problem(channel.destination());
            case EMAIL, COMMAND -> null;
        };
    }

    /** @throws NotSent it was not taken, or nobody knows whether it was */
    public void send(AlertChannel channel, Message message) throws NotSent {
        String lack = lack(channel);
        if (lack != null) {
            throw new NotSent(lack);
        }
        try {
            switch (channel.type()) {
                case WEBHOOK -> webhook(channel, message);
                case SLACK -> slack(channel, message);
                case EMAIL -> Objects.requireNonNull(mail).send(channel.addresses(), cut(message));
                case COMMAND -> command(Objects.requireNonNull(commands.get(channel.destination())), message);
            }
        } catch (RuntimeException e) {
            throw unexpected(e);
        }
    }

    /** Requests a URL. */
    public void ping(String url) throws NotSent {
        try {
            web.send("GET", URI.create(url), Map.of(), new byte[0]);
        } catch (RuntimeException e) {
            throw unexpected(e);
        }
    }

    /** Ends exchanges over HTTP; no more are begun. */
    @Override
    public void close() {
        web.close();
    }

    /**
     * Wraps an unexpected error, to be recorded with the message, which is tried again later. Its text is left out, as
     * it may quote a secret.
     */
    private static NotSent unexpected(RuntimeException e) {
        log.debug("a message cannot be sent", e);
        return new NotSent("an unexpected error: " + e.getClass().getSimpleName(), e);
    }

    private void webhook(AlertChannel channel, Message message) throws NotSent {
        byte[] body = message.json().toString().getBytes(StandardCharsets.UTF_8);
        List<String> secrets = channel.secrets() == null ? List.of() : channel.secrets();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.putAll(Signature.headers(message.uid(), message.at(), body, secrets));
        web.send("POST", URI.create(channel.destination()), headers, body);
    }

    /** Sends a message in the form of Slack, Mattermost, Rocket.Chat and others. */
    private void slack(AlertChannel channel, Message message) throws NotSent {
        String text = "*" + escaped(message.subject()) + "*\n```\n"
                + escaped(cut(message).text()) + "\n```";
        byte[] body = JsonNodeFactory.instance
                .objectNode()
                .put("text", text)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        web.send("POST", URI.create(channel.destination()), Map.of("Content-Type", "application/json"), body);
    }

    private void command(String command, Message message) throws NotSent {
        Map<String, String> environment = Map.of(
                "ROWLOCK_ALERT_ID", message.uid(),
                "ROWLOCK_ALERT_SUBJECT", message.subject(),
                "ROWLOCK_ALERT_TEXT", cut(message).text());
        byte[] input = message.json().toString().getBytes(StandardCharsets.UTF_8);
        try {
            int exit = runner.run(command, environment, input, TIMEOUT);
            if (exit != 0) {
                throw new NotSent(
                        exit < 0
                                ? "the command took longer than " + TIMEOUT.toSeconds() + " s and was killed"
                                : "the command ended with exit code " + exit);
            }
        } catch (IOException e) {
            throw new NotSent("the command cannot be started: " + e.getMessage(), e);
        }
    }

    /** Escapes text, as names of jobs and output of commands must not mention everybody in a room. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("```", "'''");
    }

    private static Message cut(Message message) {
        return message.text().length() <= MOST_CHARS
                ? message
                : new Message(
                        message.uid(),
                        message.at(),
                        message.subject(),
                        message.text().substring(0, MOST_CHARS) + "\n…",
                        message.json());
    }
}
