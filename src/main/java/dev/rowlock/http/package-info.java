/**
 * The server below the routes: connections, limits on clients, bodies, parameters, answers, and problem documents.
 * Features have their own routes; {@code api} puts them together.
 */
@NullMarked
package dev.rowlock.http;

import org.jspecify.annotations.NullMarked;
