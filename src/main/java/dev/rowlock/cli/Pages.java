package dev.rowlock.cli;

import dev.rowlock.cli.client.Ask;
import org.jspecify.annotations.Nullable;

/** Makes the request for a page of a list. */
@FunctionalInterface
interface Pages {

    /**
     * The request for a page.
     *
     * @param limit how many at most
     * @param cursor null: the first page
     */
    Ask page(int limit, @Nullable String cursor);
}
