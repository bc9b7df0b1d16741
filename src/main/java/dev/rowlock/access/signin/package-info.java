/**
 * Sign-ins of persons: with a token, or by an identity provider that speaks OpenID Connect; either way a cookie
 * stands for them from then on. {@code OpenIdConnect}, {@code Discovery} and {@code Claims} alone know the library for
 * OpenID Connect, and nothing loads it unless a provider is configured.
 */
@NullMarked
package dev.rowlock.access.signin;

import org.jspecify.annotations.NullMarked;
