package dev.rowlock.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PEM text of certificates and keys, and as much of DER as is needed to read keys of all kinds. */
final class Pem {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    private Pem() {}

    /** @param encrypted whether a passphrase is needed to read it */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Block(String label, byte[] bytes, boolean encrypted) {}

    /**
     * Returns all blocks of a text in order, without what lies between them.
     *
     * @throws IllegalArgumentException one is not Base64
     */
    static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            String label = block.group(1);
            String body = block.group(2);
            boolean encrypted = label.equals("ENCRYPTED PRIVATE KEY") || body.contains("ENCRYPTED");
            byte[] bytes = encrypted ? new byte[0] : Base64.getMimeDecoder().decode(body);
            blocks.add(new Block(label, bytes, encrypted));
        }
        return blocks;
    }

    /**
     * Converts a key from PKCS#1 or SEC 1 to PKCS#8, the only form that Java reads.
     *
     * @param publicKey in the form of X.509, of the same kind and curve
     * @throws IllegalArgumentException the public key is in no such form
     */
    static byte[] pkcs8(byte[] key, byte[] publicKey) {
        byte[] algorithm = whole(content(publicKey));
        return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, key));
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        byte[] all = Arrays.copyOf(head, head.length + length);
        int at = head.length;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Returns the content of the sequence that begins here. */
    private static byte[] content(byte[] sequence) {
        int head = headOf(sequence);
        return Arrays.copyOfRange(sequence, head, head + lengthOf(sequence));
    }

    /** Returns the sequence that begins here, without what follows it. */
    private static byte[] whole(byte[] sequence) {
        return Arrays.copyOf(sequence, headOf(sequence) + lengthOf(sequence));
    }

    private static int headOf(byte[] sequence) {
        return 2 + (sequence[1] < 0 ? sequence[1] & 0x7f : 0);
    }

    private static int lengthOf(byte[] sequence) {
        if (sequence.length < 4 || sequence[0] != SEQUENCE || headOf(sequence) > 4) {
            throw new IllegalArgumentException("not the public key of a certificate");
        }
        int length = sequence[1] & 0xff;
        if (length > 0x80) {
            length = 0;
            for (int i = 2; i < headOf(sequence); i++) {
                length = (length << 8) | (sequence[i] & 0xff);
            }
        }
        return length;
    }
}
