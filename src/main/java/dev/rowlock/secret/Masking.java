package dev.rowlock.secret;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Masks one output as it is read piece by piece. What may be the beginning of a secret is held back until more is
 * known. For one thread at a time.
 */
public final class Masking {

    private static final byte[] MASK = Masks.MASK.getBytes(StandardCharsets.UTF_8);

    private final Masks masks;
    private final Sink sink;
    private byte[] held = new byte[0];
    /** How many of the bytes to come are covered by what was found before. */
    private int covered;
    /** What came last before the bytes to come is not known. */
    private boolean afterGap;
    /** Within that, all that has come may be the middle of one secret, and was masked. */
    private boolean inMiddle;

    /** How a piece ends. */
    private enum Edge {
        /** More follows. */
        OPEN,
        /** Nothing follows. */
        END,
        /** What follows is lost. */
        GAP
    }

    /** Where the masked output goes. */
    @FunctionalInterface
    public interface Sink {
        void write(byte[] bytes, int from, int length);
    }

    Masking(Masks masks, Sink sink) {
        this.masks = masks;
        this.sink = sink;
    }

    /** Takes the next bytes. */
    public void feed(byte[] bytes) {
        scan(bytes, Edge.OPEN);
    }

    /** There are no more bytes. */
    public void end() {
        scan(new byte[0], Edge.END);
    }

    /** The next bytes are lost: what the loss cuts in two is masked on both sides of it. */
    public void gap() {
        scan(new byte[0], Edge.GAP);
        covered = 0;
        afterGap = true;
        inMiddle = false;
    }

    /** How many bytes were taken and wait for what follows them. */
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
                Masks.Found found = masks.at(text, i, text.length);
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
