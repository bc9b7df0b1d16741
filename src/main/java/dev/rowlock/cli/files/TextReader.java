package dev.rowlock.cli.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reader of texts, which says why one cannot be read. */
public final class TextReader {

    private TextReader() {}

    /**
     * Reads a file; {@code -}: standard input.
     *
     * @throws CharacterCodingException it is no UTF-8
     */
    public static String of(String file, InputStream in) throws IOException {
        return file.equals("-") ? all(in) : Files.readString(Path.of(file));
    }

    /**
     * Reads all of it. What is no UTF-8 is refused, as it is of a file: replaced characters would change a command
     * unseen.
     *
     * @throws CharacterCodingException it is no UTF-8
     */
    private static String all(InputStream in) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(in.readAllBytes()))
                .toString();
    }

    /** Returns what went wrong, without the name of the file and without the name of a class. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof CharacterCodingException) {
            return "this is no text in UTF-8";
        }
        return e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }
}
