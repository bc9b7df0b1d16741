/** The whole API: the routes of all rooms on one server, the OpenAPI document, and the files of the page. */
@NullMarked
package dev.rowlock.api;

import org.jspecify.annotations.NullMarked;
