/**
 * The server below the routes: connections, limits on clients, bodies, parameters, answers, and problem documents. Each
 * room has its own routes; {@code api} puts them together.
 */
@NullMarked
package dev.rowlock.http;

import org.jspecify.annotations.NullMarked;
