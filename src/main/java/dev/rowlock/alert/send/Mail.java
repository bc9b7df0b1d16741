package dev.rowlock.alert.send;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Properties;

/**
 * E-mail by SMTP. An exchange with the server ends at a deadline, however slowly the server goes on. Nothing of its
 * library is loaded before the first message.
 */
final class Mail {

    private final MailServer server;
    private final Duration timeout;

    /** @param timeout of an exchange as a whole, but for the name server */
    Mail(MailServer server, Duration timeout) {
        this.server = server;
        this.timeout = timeout;
    }

    void send(List<String> to, Message message) throws NotSent {
        try (Deadline deadline = new Deadline(timeout)) {
            try {
                exchange(Session.getInstance(properties(deadline)), to, message);
            } catch (MessagingException e) {
                throw new NotSent(
                        "mail server " + server.host() + ": "
                                + (deadline.isOver() ? "it took longer than " + timeout.toSeconds() + " s" : rootOf(e)),
                        e);
            }
        }
    }

    private void exchange(Session session, List<String> to, Message message) throws MessagingException {
        MimeMessage mail = mail(session, to, message);
        try (Transport transport = session.getTransport("smtp")) {
            transport.connect(server.user(), server.password());
            transport.sendMessage(mail, mail.getAllRecipients());
        }
    }

    private Properties properties(Deadline deadline) {
        Properties properties = new Properties();
        String millis = String.valueOf(timeout.toMillis());
        properties.put("mail.smtp.host", server.host());
        properties.put("mail.smtp.port", String.valueOf(server.port()));
        properties.put("mail.smtp.connectiontimeout", millis);
        properties.put("mail.smtp.timeout", millis);
        properties.put("mail.smtp.quitwait", "false"); // the server has taken the message by then
        // Makes what lies under TLS, too: the library puts TLS over a socket that speaks none.
        properties.put("mail.smtp.socketFactory", deadline);
        properties.put("mail.smtp.ssl.socketFactory", deadline);
        properties.put("mail.smtp.socketFactory.fallback", "false");
        properties.put("mail.smtp.auth", String.valueOf(server.user() != null));
        properties.put("mail.smtp.ssl.enable", String.valueOf(server.security() == MailServer.Security.TLS));
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        boolean startTls = server.security() == MailServer.Security.STARTTLS;
        properties.put("mail.smtp.starttls.enable", String.valueOf(startTls));
        properties.put("mail.smtp.starttls.required", String.valueOf(startTls));
        return properties;
    }

    private MimeMessage mail(Session session, List<String> to, Message message) throws MessagingException {
        MimeMessage mail = new Identified(session, "<" + message.uid() + "@" + domain() + ">");
        mail.setFrom(new InternetAddress(server.from()));
        for (String address : to) {
            mail.addRecipient(MimeMessage.RecipientType.TO, new InternetAddress(address));
        }
        mail.setSubject("[Rowlock] " + message.subject().replaceAll("\\p{Cntrl}", " "), "UTF-8");
        mail.setText(message.text(), "UTF-8");
        mail.setHeader(
                "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(message.at().atOffset(ZoneOffset.UTC)));
        mail.setHeader("Auto-Submitted", "auto-generated");
        return mail;
    }

    private String domain() {
        return server.from().substring(server.from().indexOf('@') + 1).replaceAll("[^A-Za-z0-9.-]", "");
    }

    /** Returns the message of the root cause, which has no password in it. */
    private static String rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).strip().replaceAll("\\s+", " ");
    }

    /** Message that keeps its id, so that duplicates can be recognized. */
    private static final class Identified extends MimeMessage {

        private final String id;

        Identified(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }
}
