/** A list of any length: only the rows that can be seen are in the document, and more are fetched as one scrolls. */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { useNarrow } from "../core/use.js";

const BEYOND = 12;

/**
 * Rows of one height (--row), within the scrolling of the whole page.
 *
 * @param row draws one: row(item, index)
 * @param onEnd is called when the end is near
 */
export function LongList({ items, row, label, head, onEnd, columns }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const narrow = useNarrow();
  const [range, setRange] = useState([0, 40]);
  const height = rowHeight(narrow);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (element.current === null) {
        return;
      }
      const top = -element.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(top / height) - BEYOND);
      const last = Math.min(items.length, Math.ceil((top + innerHeight) / height) + BEYOND);
      setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
      if (last >= items.length - BEYOND) {
        onEnd();
      }
    };
    const soon = () => {
      frame = frame || requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [items, height, onEnd]);
  const shown = items.slice(range[0], range[1]);
  return html`<div role="table" aria-label=${label} aria-rowcount=${-1} aria-colcount=${columns}>
    ${head}
    <div class="list-rows" role="rowgroup" ref=${element} style=${{ height: items.length * height + "px" }}>
      ${shown.map((item, i) => row(item, range[0] + i, { top: (range[0] + i) * height + "px" }))}
    </div>
  </div>`;
}

function rowHeight(narrow) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (narrow ? 4.25 : 2.5) * rem;
}
