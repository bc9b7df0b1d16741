package dev.rowlock.control;

import java.util.List;

/** @param warnings why it may not come to anything */
public record Run(long task, List<String> warnings) {}
