/**
 * Import of the timers of systemd: {@code Units} reads what {@code systemctl cat} prints, {@code CalendarText}
 * says
 * when, {@code ExecText} what. Changes nothing, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.systemd;

import org.jspecify.annotations.NullMarked;
