package dev.rowlock.offence.node;

@SuppressWarnings("unused")
final class SpeaksOidc {
    com.nimbusds.oauth2.sdk.id.@org.jspecify.annotations.Nullable State state;
}
