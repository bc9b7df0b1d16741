/** Pages of rows by cursor, each added to those before. */
import { html, useCallback, useEffect, useRef, useState } from "../core/html.js";
import { get } from "../core/client.js";

/**
 * Answers {rows, problem, loading, done, more, again}. While other rows are read, those before stay. A search that has
 * found nothing as far as it looked goes on by itself: an empty page is not the end.
 */
export function usePages(path, query, limit) {
  const key = path + JSON.stringify(query);
  /** @type {{key: string, rows: any[], next: string | null, loading: boolean, problem: any}} */
  const none = { key, rows: [], next: null, loading: true, problem: null };
  const [shown, setShown] = useState(none);
  const [turn, setTurn] = useState(0);
  const abort = useRef(/** @type {AbortController | null} */ (null));
  const read = useCallback(
    async (cursor) => {
      abort.current?.abort();
      const mine = new AbortController();
      abort.current = mine;
      setShown((old) => ({ ...old, loading: true }));
      try {
        let page = await get(path, { ...query, limit, cursor }, mine.signal);
        while (page.items.length === 0 && page.nextCursor !== null) {
          page = await get(path, { ...query, limit, cursor: page.nextCursor }, mine.signal);
        }
        setShown((old) => ({
          key,
          rows: cursor === null ? page.items : [...old.rows, ...page.items],
          next: page.nextCursor,
          loading: false,
          problem: null,
        }));
      } catch (problem) {
        if (problem.name !== "AbortError") {
          setShown((old) => ({ key, rows: old.key === key ? old.rows : [], next: null, loading: false, problem }));
        }
      }
    },
    [key, limit],
  );
  useEffect(() => {
    read(null);
    return () => abort.current?.abort();
  }, [read, turn]);
  return {
    rows: shown.rows,
    problem: shown.problem,
    loading: shown.loading,
    done: shown.next === null,
    more: () => read(shown.next),
    again: () => setTurn((t) => t + 1),
  };
}

export function More({ of }) {
  return html`<p class="list-foot actions"><span role="status">${of.rows.length.toLocaleString("en")}
    ${of.done ? " in all" : " so far"}</span>${
      !of.done
      && html`<button disabled=${of.loading}
      onClick=${of.more}>Show more</button>`
    }</p>`;
}
