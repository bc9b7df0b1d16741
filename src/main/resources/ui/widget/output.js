/** What a task wrote: live, searchable, with an anchor for each line. Only the lines that can be seen are drawn. */
import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { link, requery } from "../core/route.js";
import { pieces, plain } from "./ansi.js";
import { useLines } from "./outputlines.js";
import { Trouble } from "./parts.js";

const CUT = /^\[\.\.\. \d+ bytes were cut here \.\.\.\]$/;
const LINE_REM = 1.25;
const BEYOND = 20;
/** A line that is longer is drawn in part; the download has all of it. */
const LONGEST = 4000;

/** In lower case, and as long as before: one letter becomes two otherwise, and what is marked would move. */
function folded(text) {
  return text.replaceAll("İ", "i").toLowerCase();
}

/** Text with what is searched for marked; that is in lower case. */
export function marked(text, found) {
  if (found === "") {
    return text;
  }
  const parts = [];
  const lower = folded(text);
  let at = 0;
  for (let next = lower.indexOf(found); next >= 0; next = lower.indexOf(found, at)) {
    parts.push(text.slice(at, next), html`<mark>${text.slice(next, next + found.length)}</mark>`);
    at = next + found.length;
  }
  parts.push(text.slice(at));
  return parts;
}

function Line({ task, text, at, here, looked, current }) {
  const cut = CUT.test(text);
  const short = text.length > LONGEST ? text.slice(0, LONGEST) + " …" : text;
  return html`<div class="log-line" style=${{ top: at * LINE_REM + "rem" }} data-cut=${cut || undefined}
      data-here=${here || undefined} data-found=${current || undefined}>
    <a href=${link(["tasks", String(task)], { line: at + 1 })} aria-label=${"Line " + (at + 1)} onClick=${(e) => {
      e.preventDefault();
      requery({ line: at + 1 });
    }}>${at + 1}</a><span>${pieces(short).map(([part, style]) =>
      style === ""
        ? marked(part, looked)
        : html`<span
      class=${style}>${marked(part, looked)}</span>`,
    )}</span>
  </div>`;
}

/** In pixels: people choose how large text is. */
function lineHeight() {
  return LINE_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Which lines can be seen, and a function that looks again. */
function useWindow(count, box) {
  const [range, setRange] = useState([0, 80]);
  const look = () => {
    if (box.current === null) {
      return;
    }
    const height = lineHeight();
    const first = Math.max(0, Math.floor(box.current.scrollTop / height) - BEYOND);
    setRange([first, Math.min(count, first + Math.ceil(box.current.clientHeight / height) + 2 * BEYOND)]);
  };
  useEffect(look, [count]);
  return { range, look };
}

function Bar({ lines, search, onSearch, hits, hit, onHit, follow, onFollow, live, task, none }) {
  return html`<div class="log-bar">
    <input type="search" aria-label="Search in the output" placeholder="Search in the output" value=${search}
      onInput=${(e) => onSearch(e.target.value)} onKeyDown=${(e) => e.key === "Enter" && onHit(e.shiftKey ? -1 : 1)} />
    <span role="status" class="small muted">${
      search === "" ? lines.toLocaleString("en") + " lines" : hits === 0 ? "not found" : hit + 1 + " of " + hits
    }</span>
    ${
      hits > 0
      && html`<button onClick=${() => onHit(-1)} aria-label="The one before">↑</button>
      <button onClick=${() => onHit(1)} aria-label="The next one">↓</button>`
    }
    ${
      live
      && html`<label class="check"><input type="checkbox" checked=${follow}
      onChange=${(e) => onFollow(e.target.checked)} />Follow</label>`
    }
    ${
      !none
      && html`<a class="button" href=${"/api/v1/tasks/" + task + "/output"}
      download=${"task-" + task + ".txt"}>Download</a>`
    }
  </div>`;
}

/** @param live whether the task executes; @param end whether the end is shown first; @param line the one to show */
export function Output({ task, live, end, line }) {
  const { lines, ended, problem, again } = useLines(task, live);
  const [search, setSearch] = useState("");
  const [hit, setHit] = useState(0);
  const [follow, setFollow] = useState((live || end) && line === null);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const mine = useRef(0);
  const { range, look } = useWindow(lines.length, box);
  const looked = folded(search);
  const found = useMemo(
    () => (looked === "" ? [] : lines.flatMap((text, i) => (folded(plain(text)).includes(looked) ? [i] : []))),
    [looked, lines],
  );
  const show = (at) => {
    if (box.current !== null) {
      box.current.scrollTop = at * lineHeight() - box.current.clientHeight / 3;
      look();
    }
  };
  useEffect(() => {
    if (follow && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
      mine.current = box.current.scrollTop;
    }
  }, [lines.length, follow]);
  const known = line !== null && line <= lines.length;
  useEffect(() => {
    if (known) {
      show(line - 1);
    }
  }, [line, known]);
  const any = found.length > 0;
  useEffect(() => {
    setHit(0);
    if (looked !== "") {
      setFollow(false);
    }
    if (any) {
      show(found[0]);
    }
  }, [looked, any]);
  const onHit = (step) => {
    const next = (hit + step + found.length) % Math.max(1, found.length);
    setHit(next);
    show(found[next] ?? 0);
  };
  const scrolled = () => {
    if (follow && box.current !== null && box.current.scrollTop < mine.current - 4) {
      setFollow(false);
    }
    look();
  };
  return html`<${Bar} lines=${lines.length} search=${search} onSearch=${setSearch} hits=${found.length} hit=${hit}
    onHit=${onHit}
      follow=${follow} onFollow=${setFollow} live=${live && !ended} task=${task}
      none=${lines.length === 0 && problem !== null} />
    <${Trouble} problem=${problem} again=${again} />
    <div class="log"><div class="log-lines" ref=${box} onScroll=${scrolled} tabindex="0" role="region"
      aria-label="Lines of the output">
      <div class="log-inner" style=${{ height: Math.max(1, lines.length) * LINE_REM + "rem" }}>
        ${
          lines.length === 0
          && !problem
          && html`<div class="log-line">${"  " + (ended ? "It wrote nothing." : "Nothing yet …")}</div>`
        }
        ${lines.slice(range[0], range[1]).map(
          (text, i) => html`<${Line} key=${range[0] + i} task=${task} text=${text}
          at=${range[0] + i}
          here=${line === range[0] + i + 1} looked=${looked} current=${found[hit] === range[0] + i} />`,
        )}
      </div></div></div>`;
}
