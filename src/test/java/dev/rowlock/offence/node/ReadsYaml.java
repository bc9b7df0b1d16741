package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class ReadsYaml {
    com.fasterxml.jackson.dataformat.yaml.@org.jspecify.annotations.Nullable YAMLMapper mapper;
}
