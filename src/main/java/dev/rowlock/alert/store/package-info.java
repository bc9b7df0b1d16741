/**
 * Alerts in the database: rules, channels and silences; what was raised; what is to be sent, and was. {@link
 * dev.rowlock.alert.store.Evaluation} reads what happened and writes what the rules make of it in one transaction,
 * so that a crash loses nothing and raises nothing twice.
 */
@NullMarked
package dev.rowlock.alert.store;

import org.jspecify.annotations.NullMarked;
