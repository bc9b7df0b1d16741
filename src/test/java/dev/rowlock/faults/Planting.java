package dev.rowlock.faults;

import dev.rowlock.faults.Sources.DoesNotApply;
import dev.rowlock.faults.Sources.Place;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Plants a fault in a copy of its file, under {@code target/faults}; the sources stay as they are. */
final class Planting {

    private final Path project;
    private final Sources sources;
    private final String classPath;

    /** @param classPath the classes of the program and all that they need */
    Planting(Path project, Sources sources, List<Path> classPath) {
        this.project = project;
        this.sources = sources;
        this.classPath = String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList());
    }

    Path directory(Fault fault) {
        return project.resolve(Path.of("target", "faults", fault.id()));
    }

    /** Plants it afresh and returns the directory that has to come first on the class path. */
    Path plant(Fault fault) throws IOException, DoesNotApply {
        Place place = sources.find(fault);
        Path directory = directory(fault);
        remove(directory);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path packed = Sources.packed(place.file());
        if (!packed.toString().endsWith(".java")) {
            write(classes.resolve(packed), place.changed(fault.with()));
            return classes;
        }
        Path copy = write(directory.resolve("java").resolve(packed), place.changed(fault.with()));
        compile(fault, copy, classes);
        return classes;
    }

    /** Compiles as the build does, without what only warns. */
    private void compile(Fault fault, Path file, Path classes) throws IOException, DoesNotApply {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-implicit:none",
                    "-nowarn",
                    "-g",
                    "-parameters",
                    "-XDstringConcat=inline",
                    "--release",
                    "17",
                    "-cp",
                    classPath,
                    "-d",
                    classes.toString());
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(file))
                    .call()) {
                throw new DoesNotApply(fault.id() + ": does not compile:\n" + said);
            }
        }
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(directory)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
