package dev.rowlock.secret;

import dev.rowlock.secret.Masking.MaskedSink;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forms of some secrets in output, found all at once. Immutable; thread-safe.
 *
 * <p>A byte is masked if any form covers it; where forms overlap, what they cover together becomes one mask.
 */
public final class Masks {

    /** Replacement of a secret. */
    public static final String MASK = "***";

    /** Result when the text ended before a form could be told. */
    private static final int OPEN = -1;

    private static final int NONE = 0;

    private static final Map<Set<SecretValue>, WeakReference<Masks>> SHARED = new HashMap<>();

    private final List<Form> forms;
    /** Forms by first byte; null: none begins with it. */
    private final Form[] @Nullable [] byFirst;

    private Masks(List<Form> forms) {
        this.forms = forms;
        List<List<Form>> lists = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            lists.add(new ArrayList<>());
        }
        forms.forEach(form -> lists.get(form.bytes()[0] & 0xff).add(form));
        this.byFirst = new Form[256][];
        for (int i = 0; i < 256; i++) {
            byFirst[i] = lists.get(i).isEmpty() ? null : lists.get(i).toArray(Form[]::new);
        }
    }

    /** Returns the masks of these secrets, shared while anybody uses them: those of a long secret are large. */
    public static Masks of(Collection<SecretValue> secrets) {
        Set<SecretValue> known = Set.copyOf(secrets);
        synchronized (SHARED) {
            WeakReference<Masks> reference = SHARED.get(known);
            Masks shared = reference == null ? null : reference.get();
            if (shared == null) {
                SHARED.values().removeIf(other -> other.get() == null);
                shared = new Masks(
                        Form.of(known.stream().map(SecretValue::reveal).toList()));
                SHARED.put(known, new WeakReference<>(shared));
            }
            return shared;
        }
    }

    /** Returns whether any form begins with this byte. */
    boolean mayBegin(byte first) {
        return byFirst[first & 0xff] != null;
    }

    /**
     * Result of a scan at one place.
     *
     * @param length of the longest form that is there; 0: none is
     * @param open whether the text ends within what may become a form
     */
    record MaskMatch(int length, boolean open) {
        static final MaskMatch NOTHING = new MaskMatch(NONE, false);
    }

    MaskMatch at(byte[] text, int from, int end) {
        Form[] candidates = byFirst[text[from] & 0xff];
        if (candidates == null) {
            return MaskMatch.NOTHING;
        }
        int longest = 0;
        boolean open = false;
        for (Form form : candidates) {
            int length = length(form, 0, text, from, end);
            open |= length == OPEN;
            longest = Math.max(longest, length);
        }
        return longest == 0 && !open ? MaskMatch.NOTHING : new MaskMatch(longest, open);
    }

    /**
     * Returns how many bytes at the beginning of a text may be the end of a form whose beginning is not known: all of
     * them, if they may even be its middle.
     */
    int endOfSome(byte[] text, int end) {
        int longest = 0;
        for (Form form : forms) {
            for (int at = 1; at < form.bytes().length && longest < end; at++) {
                if (form.bytes()[at] == text[0]) {
                    int length = length(form, at, text, 0, end);
                    longest = length == OPEN ? end : Math.max(longest, length);
                }
            }
        }
        return longest;
    }

    /** Returns how many bytes of the text are the form, from its byte {@code at} on; none, or {@link #OPEN}. */
    private static int length(Form form, int at, byte[] text, int from, int end) {
        byte[] wanted = form.bytes();
        int i = from;
        for (int j = at; j < wanted.length; j++) {
            while (form.wraps() && i > from && i < end && (text[i] == '\n' || text[i] == '\r')) {
                i++;
            }
            if (i == end) {
                return OPEN;
            }
            if (text[i++] != wanted[j]) {
                return NONE;
            }
        }
        return i - from;
    }

    /** Begins to mask one output. */
    public Masking begin(MaskedSink sink) {
        return new Masking(this, sink);
    }
}
