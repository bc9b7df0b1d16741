package dev.rowlock.secret;

import dev.rowlock.secret.Masks.MaskMatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Masking of one output as it is read piece by piece. A possible beginning of a secret is held back until more is
 * known. For one thread at a time.
 */
public final class Masking {

    private static final byte[] MASK = Masks.MASK.getBytes(StandardCharsets.UTF_8);

    private final Masks masks;
    private final MaskedSink sink;
    private byte[] held = new byte[0];
    /** Number of bytes to come that are covered by a form already found. */
    private int covered;
    /** Set if the bytes before those to come are not known. */
    private boolean afterGap;
    /** Set if, after a gap, all bytes so far may be the middle of one secret, and were masked. */
    private boolean inMiddle;

    /** Ending of a piece. */
    private enum Edge {
        /** More bytes follow. */
        OPEN,
        /** No bytes follow. */
        END,
        /** The bytes that follow are lost. */
        GAP
    }

    /** Destination of the masked output. */
    @FunctionalInterface
    public interface MaskedSink {
        void write(byte[] bytes, int from, int length);
    }

    Masking(Masks masks, MaskedSink sink) {
        this.masks = masks;
        this.sink = sink;
    }

    /** Takes the next bytes. */
    public void feed(byte[] bytes) {
        scan(bytes, Edge.OPEN);
    }

    /** Ends the output. */
    public void end() {
        scan(new byte[0], Edge.END);
    }

    /** Notes that the next bytes are lost: what the loss cuts in two is masked on both sides of it. */
    public void gap() {
        scan(new byte[0], Edge.GAP);
        covered = 0;
        afterGap = true;
        inMiddle = false;
    }

    /** Returns the number of bytes that were taken and wait for what follows them. */
    public int held() {
        return held.length;
    }

    private void scan(byte[] more, Edge edge) {
        byte[] text = Arrays.copyOf(held, held.length + more.length);
        System.arraycopy(more, 0, text, held.length, more.length);
        if (afterGap && text.length > 0) {
            beginAfterGap(text);
        }
        int i = 0;
        int plainFrom = 0;
        while (i < text.length) {
            if (i < covered || masks.mayBegin(text[i])) {
                MaskMatch found = masks.at(text, i, text.length);
                if (found.open() && edge == Edge.OPEN) {
                    break;
                }
                int length = found.open() && edge == Edge.GAP ? text.length - i : found.length();
                if (length > 0 && i >= covered) {
                    sink.write(text, plainFrom, i - plainFrom);
                    sink.write(MASK, 0, MASK.length);
                }
                covered = Math.max(covered, i + length);
                if (i < covered) {
                    plainFrom = i + 1;
                }
            }
            i++;
        }
        if (plainFrom < i) {
            sink.write(text, plainFrom, i - plainFrom);
        }
        held = Arrays.copyOfRange(text, i, text.length);
        covered = Math.max(0, covered - i);
    }

    private void beginAfterGap(byte[] text) {
        int length = masks.endOfSome(text, text.length);
        if (length > 0 && !inMiddle) {
            sink.write(MASK, 0, MASK.length);
        }
        covered = Math.max(covered, length);
        inMiddle = length > 0;
        afterGap = length == text.length;
    }
}
