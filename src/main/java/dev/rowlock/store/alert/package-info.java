/**
 * What is remembered of alerts: rules, channels and silences; what was raised; what is to be sent, and was. {@link
 * dev.rowlock.store.alert.Evaluation} reads what happened and writes what the rules make of it in one transaction, so
 * that a crash loses nothing and raises nothing twice.
 */
@NullMarked
package dev.rowlock.store.alert;

import org.jspecify.annotations.NullMarked;
