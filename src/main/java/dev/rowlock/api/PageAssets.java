package dev.rowlock.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Parts of the web page, as bytes and compressed: those that {@code ui/files.txt} names. They are read on first use: a
 * node whose page nobody opens has none of it in memory.
 */
final class PageAssets {

    private static final String ROOT = "/ui/";
    private static final String PAGE = "index.html";
    /** Placeholder for the path of all parts in {@link #PAGE}. */
    private static final String HERE = "@ui@";

    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "svg", "image/svg+xml");

    private final String tree;
    private final byte[] page;
    private final Map<String, Asset> assets;

    /** Part of the page. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Asset(String type, byte[] plain, byte[] gzip) {}

    /**
     * Part and its source.
     *
     * @param said in a library's module, by what it refers to another one
     * @param instead what a browser finds that one by
     */
    private record AssetSource(String path, String resource, String said, String instead) {

        static AssetSource of(String[] words) {
            return switch (words.length) {
                case 1 -> new AssetSource(words[0], ROOT + words[0], "", "");
                case 2 -> new AssetSource(words[0], words[1], "", "");
                case 4 -> new AssetSource(words[0], words[1], words[2], words[3]);
                default -> throw new IllegalStateException("a line of ui/files.txt is broken: " + words[0]);
            };
        }

        String type() {
            String type = TYPES.get(path.replaceFirst(".*\\.", ""));
            if (type == null) {
                throw new IllegalStateException("no type is known for " + path + " in ui/files.txt");
            }
            return type;
        }

        byte[] content() {
            byte[] plain = read(resource);
            return said.isEmpty()
                    ? plain
                    : new String(plain, StandardCharsets.UTF_8)
                            .replace(said, instead)
                            .getBytes(StandardCharsets.UTF_8);
        }
    }

    private PageAssets(String tree, byte[] page, Map<String, Asset> assets) {
        this.tree = tree;
        this.page = page;
        this.assets = assets;
    }

    /** @throws UncheckedIOException if a part is missing: the program is not whole */
    static PageAssets load() {
        MessageDigest hash = sha256();
        Map<String, Asset> assets = new LinkedHashMap<>();
        for (AssetSource part : parts()) {
            byte[] plain = part.content();
            hash.update((part.path + "\0" + plain.length + "\0").getBytes(StandardCharsets.UTF_8));
            hash.update(plain);
            assets.put(part.path, new Asset(part.type(), plain, gzip(plain)));
        }
        String tree = HexFormat.of().formatHex(hash.digest(), 0, 8);
        String page = new String(read(ROOT + PAGE), StandardCharsets.UTF_8).replace(HERE, "/ui/" + tree);
        return new PageAssets(tree, page.getBytes(StandardCharsets.UTF_8), assets);
    }

    /** Returns the hash of all parts, which is in their path. */
    String tree() {
        return tree;
    }

    /** Returns the document that loads all others. */
    byte[] page() {
        return page;
    }

    /** Returns a part; null if there is none. */
    @Nullable
    Asset find(String path) {
        return assets.get(path);
    }

    /** Reads the list of parts. */
    private static List<AssetSource> parts() {
        String list = new String(read(ROOT + "files.txt"), StandardCharsets.UTF_8);
        return list.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> AssetSource.of(line.strip().split("\\s+", -1)))
                .toList();
    }

    private static byte[] read(String resource) {
        try (InputStream in = PageAssets.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("this program has no " + resource);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("a part of the web page cannot be read", e);
        }
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2);
        try (GZIPOutputStream gzip = new BestGzip(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return out.toByteArray();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private static final class BestGzip extends GZIPOutputStream {
        BestGzip(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
