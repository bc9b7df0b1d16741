/**
 * Alerts on their way: one node at a time raises them, and every node sends. Webhooks, Slack, e-mail, commands and
 * pings, each within ten seconds.
 */
@NullMarked
package dev.rowlock.alert.send;

import org.jspecify.annotations.NullMarked;
