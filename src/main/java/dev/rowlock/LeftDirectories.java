package dev.rowlock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of nodes of other names that nobody uses any more: a host was renamed, or a container got another name.
 * The node that starts takes over their results and outputs, as launches have unique names whatever the node is called.
 */
final class LeftDirectories {

    private static final Logger log = LoggerFactory.getLogger(LeftDirectories.class);
    private static final String JOURNAL = "results.journal";
    private static final String OUTPUT = "output";

    private LeftDirectories() {}

    /**
     * Takes over what others have left. Call while holding the lock of {@code home}, before its journal is read. A
     * crash in the middle leaves a result in both journals: it is recorded once.
     */
    static void takeOver(Path home) {
        try (DirectoryStream<Path> nodes =
                Files.newDirectoryStream(home.toAbsolutePath().getParent())) {
            for (Path node : nodes) {
                if (Files.isDirectory(node) && !Files.isSameFile(node, home) && holdsSomething(node)) {
                    takeOver(node, home);
                }
            }
        } catch (IOException e) {
            log.warn("what nodes of other names have left beside {} is not taken over: {}", home, e.toString());
        }
    }

    private static boolean holdsSomething(Path node) throws IOException {
        Path journal = node.resolve(JOURNAL);
        return (Files.isRegularFile(journal) && Files.size(journal) > 0)
                || !outputs(node).isEmpty();
    }

    private static List<Path> outputs(Path node) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(node.resolve(OUTPUT))) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(node.resolve(OUTPUT), "*.out")) {
                files.forEach(found::add);
            }
        }
        return found;
    }

    private static void takeOver(Path node, Path home) throws IOException {
        Optional<DirectoryLock> lock = DirectoryLock.tryTake(node);
        if (lock.isEmpty()) {
            return; // it is in use
        }
        try (DirectoryLock ours = lock.get()) {
            Files.createDirectories(home.resolve(OUTPUT));
            for (Path output : outputs(node)) {
                Files.move(
                        output,
                        home.resolve(OUTPUT).resolve(output.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            Path journal = node.resolve(JOURNAL);
            if (Files.isRegularFile(journal)) {
                append(Files.readAllBytes(journal), home.resolve(JOURNAL));
                Files.delete(journal);
            }
            log.warn(
                    "{} is used by no node any more; the results and outputs that it held are this node's now",
                    ours.directory());
        }
    }

    /**
     * Appends lines to a journal. The last line of either may have been cut by a crash, and must not spoil the next.
     */
    private static void append(byte[] lines, Path journal) throws IOException {
        byte[] text = new byte[lines.length + 1];
        text[0] = '\n';
        System.arraycopy(lines, 0, text, 1, lines.length);
        Files.write(journal, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    }
}
