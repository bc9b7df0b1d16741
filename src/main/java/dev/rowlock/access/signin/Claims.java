package dev.rowlock.access.signin;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reader of the claims of a verified ID token. */
record Claims(ProviderSettings settings) {

    private static final int LONGEST_NAME = 128;

    /** Prefix that no token's name can have. */
    private static final String PREFIX = "oidc:";

    private static final int SHOWN_GROUPS = 20;

    /**
     * Returns the name of the person for audit and log, from the first of three claims that the token has. {@code sub}
     * should always be there.
     */
    String name(JWTClaimsSet claims) {
        for (String claim : List.of("preferred_username", "email", "sub")) {
            if (claims.getClaim(claim) instanceof String text && !text.isBlank()) {
                String printable = PREFIX + text.strip().replaceAll("\\p{Cntrl}", "?");
                int length = Math.min(LONGEST_NAME, printable.codePointCount(0, printable.length()));
                return printable.substring(0, printable.offsetByCodePoints(0, length));
            }
        }
        throw SignInRefused.unproven("the ID token does not say whose it is");
    }

    /** Returns the groups; a single text is one group. */
    List<String> groups(JWTClaimsSet claims) {
        Object found = claim(claims);
        if (found instanceof String text) {
            return List.of(text);
        }
        return found instanceof Collection<?> many
                ? many.stream().filter(Objects::nonNull).map(Object::toString).toList()
                : List.of();
    }

    /** Returns the groups claim: one of exactly this name, which may contain dots, or else a nested one. */
    private @Nullable Object claim(JWTClaimsSet claims) {
        String name = settings.groupsClaim();
        Object found = claims.getClaim(name);
        if (found != null || !name.contains(".")) {
            return found;
        }
        Object within = claims.getClaims();
        for (String part : name.split("[.]", -1)) {
            within = within instanceof Map<?, ?> map ? map.get(part) : null;
        }
        return within;
    }

    /** Returns the message for a known person without a role. */
    String withoutRole(String name, JWTClaimsSet claims) {
        if (claim(claims) == null) {
            return "you are " + name + ", but the identity provider does not say which groups you are in: the ID token"
                    + " has no claim " + settings.groupsClaim() + " (oidc.groups-claim)";
        }
        List<String> groups = groups(claims);
        String shown = groups.isEmpty()
                ? "none"
                : String.join(", ", groups.stream().limit(SHOWN_GROUPS).toList())
                        + (groups.size() > SHOWN_GROUPS ? " and " + (groups.size() - SHOWN_GROUPS) + " more" : "");
        return "you are " + name + ", but none of your groups has a role here; ask an administrator to add one to"
                + " oidc.roles. Your groups: " + shown;
    }
}
