package dev.rowlock.db;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/** Failure to connect. The message names the server, says what is wrong with it, and what to check. */
final class ConnectFailure extends SQLNonTransientConnectionException {

    private static final long serialVersionUID = 1L;

    private ConnectFailure(String message, SQLException cause) {
        super(message, cause.getSQLState(), cause.getErrorCode(), cause);
    }

    static ConnectFailure of(DatabaseAddress address, SQLException e) {
        return new ConnectFailure(said(address, e), e);
    }

    private static String said(DatabaseAddress address, SQLException e) {
        String host = address.host();
        if (SqlErrors.isMissing(e)) {
            return host + " has no such database: " + e.getMessage()
                    + "; create it (create database NAME character set utf8mb4), give " + account(address)
                    + " all rights on it, or correct the name in database.url";
        }
        if (SqlErrors.needsTls(e)) {
            return host + " lets nobody in without TLS, and database.url has sslMode=DISABLED; take sslMode=REQUIRED,"
                    + " or VERIFY_IDENTITY to make sure whose server it is";
        }
        if (SqlErrors.isRefusal(e)) {
            return host + " refuses " + account(address) + ": " + e.getMessage()
                    + "; check database.user, database.password and the account's rights";
        }
        if (isOfCertificate(e)) {
            return host + ": its certificate is not accepted: " + innermost(e).getMessage() + "; check whether the"
                    + " store in trustCertificateKeyStoreUrl of database.url has the authority that issued it,"
                    + " and, with sslMode=VERIFY_IDENTITY, whether it is for this host";
        }
        Throwable root = innermost(e);
        if (root instanceof UnknownHostException) {
            return "the host of " + host + " is unknown; check database.url";
        }
        if (root instanceof SocketTimeoutException) {
            return host + " does not answer within " + DatabaseAddress.CONNECTS_WITHIN.toSeconds() + " s";
        }
        if (root instanceof ConnectException) {
            return host + ": " + root.getMessage() + "; is the server running?";
        }
        String text = root.getMessage();
        if (text != null && text.startsWith("Public Key Retrieval")) {
            return host + ": " + text + ": without TLS, this account's password is sent under a key of the server; take"
                    + " sslMode=REQUIRED in database.url, or allowPublicKeyRetrieval=true on a network that you trust";
        }
        return host + ": "
                + (text == null
                        ? root.toString()
                        : text.strip().lines().findFirst().orElse(root.toString()));
    }

    private static boolean isOfCertificate(Throwable e) {
        for (Throwable t = e; t != null && t != t.getCause(); t = t.getCause()) {
            if (t instanceof CertificateException || t instanceof CertPathValidatorException) {
                return true;
            }
        }
        return false;
    }

    private static Throwable innermost(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    private static String account(DatabaseAddress address) {
        return "the account " + (address.user().isEmpty() ? "of database.url" : address.user());
    }
}
