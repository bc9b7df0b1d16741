package dev.rowlock.config;

import org.jspecify.annotations.Nullable;

/** Reader of the settings of alerts; reports problems. */
record AlertsReader(ConfigReader reader) {

    Config.Alerts read() {
        String url = reader.ifSet(Settings.HTTP_PUBLIC_URL);
        return new Config.Alerts(
                url == null ? null : url.replaceAll("/+$", ""),
                reader.value(Settings.ALERTS_ALLOW_INTERNAL),
                reader.value(Settings.ALERTS_COMMANDS),
                mail(),
                reader.ifSet(Settings.PING_URL),
                reader.value(Settings.PING_EVERY));
    }

    private Config.@Nullable Mail mail() {
        String host = reader.ifSet(Settings.SMTP_HOST);
        String from = reader.ifSet(Settings.SMTP_FROM);
        String user = reader.ifSet(Settings.SMTP_USER);
        String password = reader.ifSet(Settings.SMTP_PASSWORD);
        int port = reader.value(Settings.SMTP_PORT);
        Config.MailSecurity security = reader.value(Settings.SMTP_SECURITY);
        if (host == null) {
            return null;
        }
        if (from == null && reader.rightSoFar(Settings.SMTP_FROM)) {
            reader.problem("smtp.from: is missing; with smtp.host, set it, or " + Settings.SMTP_FROM.variable()
                    + ", to the address that messages come from, such as rowlock@example.com.");
        }
        if ((user == null) != (password == null) && reader.rightSoFar(Settings.SMTP_USER, Settings.SMTP_PASSWORD)) {
            reader.problem((user == null ? "smtp.user" : "smtp.password")
                    + ": is missing; smtp.user and smtp.password go together.");
        }
        return new Config.Mail(host, port, security, user, password, from == null ? "" : from);
    }
}
