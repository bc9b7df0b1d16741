package dev.rowlock.cli;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.support.NodeProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The real {@code scripts/rowlock}, with a jar that leads to the classes that are tested, as nodes run from them. */
final class ScriptHome {

    private ScriptHome() {}

    /** @return the script */
    static Path install(Path home) throws IOException {
        Path scripts = Files.createDirectories(home.resolve("scripts"));
        for (String script : List.of("rowlock", "java-options")) {
            Files.copy(Path.of("scripts", script), scripts.resolve(script));
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "dev.rowlock.Main");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Stream.concat(
                                        NodeProcess.jar().stream(),
                                        Arrays.stream(System.getProperty("java.class.path")
                                                        .split(File.pathSeparator))
                                                .map(Path::of))
                                .map(entry -> entry.toUri().toString())
                                .collect(Collectors.joining(" ")));
        Path jar = Files.createDirectories(home.resolve("target")).resolve("rowlock.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return scripts.resolve("rowlock");
    }

    /** Runs a script of bash's in this home, as this JVM may not be able to pass more than ASCII. */
    static Said shell(Path home, Map<String, String> environment, String script) throws Exception {
        Path err = Files.createTempFile(home, "err", "");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(home.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("ROWLOCK_.*|LC_.*|LANG"));
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it has not ended: " + script);
        }
        return new Said(process.exitValue(), out, Files.readString(err));
    }
}
