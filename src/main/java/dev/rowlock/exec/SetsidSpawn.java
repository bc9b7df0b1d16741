package dev.rowlock.exec;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** With what Java and util-linux have: works everywhere, at about twice the cost. */
final class SetsidSpawn implements Spawner {

    private static final boolean JVM_SPEAKS_UTF_8 = Charset.defaultCharset().equals(StandardCharsets.UTF_8)
            && System.getProperty("sun.jnu.encoding", "")
                    .toUpperCase(Locale.ROOT)
                    .matches("UTF-?8");

    @Override
    public Child spawn(Program program) throws IOException {
        List<String> line = new ArrayList<>(program.line());
        line.add(0, Shell.setsid());
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.directory(new File("/"));
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        builder.redirectInput(program.input());
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                program.output() == null
                        ? ProcessBuilder.Redirect.DISCARD
                        : ProcessBuilder.Redirect.appendTo(program.output()));
        Process process = builder.start();
        return new Child(
                Math.toIntExact(process.pid()), process.onExit().thenApply(Process::exitValue)); // setsid becomes it
    }

    /** A JVM that runs in the POSIX locale turns everything but ASCII into question marks. */
    @Override
    public boolean canPass(String text) {
        return JVM_SPEAKS_UTF_8 || text.chars().allMatch(c -> c < 128);
    }
}
