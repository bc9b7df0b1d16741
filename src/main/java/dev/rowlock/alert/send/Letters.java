package dev.rowlock.alert.send;

import dev.rowlock.alert.MessageJson;
import dev.rowlock.alert.MessagePart;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.alert.MessageText;
import dev.rowlock.alert.store.Outbox;
import dev.rowlock.alert.store.Outbox.Claimed;
import dev.rowlock.task.history.OutputQueries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Composition of messages, with the end of what the first commands wrote. */
final class Letters {

    /** Bound on commands that one message quotes. */
    private static final int QUOTED = 3;

    private static final int LINES = 10;
    private static final int LINE_CHARS = 200;

    private final Outbox outbox;
    private final OutputQueries outputs;
    private final @Nullable String publicUrl;

    Letters(Outbox outbox, OutputQueries outputs, @Nullable String publicUrl) {
        this.outbox = outbox;
        this.outputs = outputs;
        this.publicUrl = publicUrl;
    }

    /** Returns the message; null: there is nothing to say. */
    @Nullable
    Message of(Claimed claimed) {
        List<MessagePart> parts = new ArrayList<>();
        for (MessagePart part : outbox.parts(claimed.id(), MessageText.TOLD)) {
            parts.add(parts.size() < QUOTED ? withTail(part) : part);
        }
        if (parts.isEmpty()) {
            return null;
        }
        MessageText text = new MessageText(parts, claimed.parts(), publicUrl);
        return new Message(
                claimed.uid(),
                claimed.now(),
                text.subject(),
                text.body(),
                MessageJson.of(text, parts, claimed.parts(), claimed.now()));
    }

    private MessagePart withTail(MessagePart part) {
        Long task = part.alert().task();
        if (task == null || part.kind() == PartKind.RECOVERED) {
            return part;
        }
        List<String> tail = outputs.tail(task, LINES * LINE_CHARS)
                .map(bytes -> lines(new String(bytes, StandardCharsets.UTF_8)))
                .orElse(List.of());
        return new MessagePart(part.kind(), part.alert(), tail);
    }

    /** Returns the last lines, without control characters, which a terminal would obey. */
    static List<String> lines(String output) {
        List<String> lines = output.lines()
                .map(line -> line.replaceAll("\\p{Cntrl}", " ").stripTrailing())
                .filter(line -> !line.isBlank())
                .map(line -> line.length() > LINE_CHARS ? line.substring(0, LINE_CHARS) + "…" : line)
                .toList();
        return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    }
}
