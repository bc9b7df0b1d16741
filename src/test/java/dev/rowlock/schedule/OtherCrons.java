package dev.rowlock.schedule;

import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.UnaryOperator;

/**
 * The cron expressions of others that run here, each read for a zone: a first fire time strictly after an instant, or
 * none.
 */
enum OtherCrons {
    QUARTZ {
        @Override
        UnaryOperator<Optional<Instant>> read(String text, ZoneId zone) throws ParseException {
            org.quartz.CronExpression cron = new org.quartz.CronExpression(text);
            cron.setTimeZone(TimeZone.getTimeZone(zone));
            return from -> from.map(t -> cron.getTimeAfter(Date.from(t))).map(Date::toInstant);
        }
    },
    SPRING {
        @Override
        UnaryOperator<Optional<Instant>> read(String text, ZoneId zone) {
            var cron = org.springframework.scheduling.support.CronExpression.parse(text);
            return from -> from.map(t -> cron.next(t.atZone(zone))).map(ZonedDateTime::toInstant);
        }
    };

    /** @throws ParseException or IllegalArgumentException if the other one refuses the text */
    abstract UnaryOperator<Optional<Instant>> read(String text, ZoneId zone) throws ParseException;
}
