package dev.rowlock.cli.files;

/** Where something stands in a text that somebody wrote; lines and columns count from 1. */
public record Position(String file, int line, int column) {

    /** As compilers say it, so that editors lead there. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
