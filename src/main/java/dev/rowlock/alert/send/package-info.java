/**
 * How does a message reach people? Webhooks, Slack, e-mail, commands and pings, each within ten seconds. Knows neither
 * the database nor rules: it is handed a channel and a message, and says whether it was taken.
 */
@NullMarked
package dev.rowlock.alert.send;

import org.jspecify.annotations.NullMarked;
