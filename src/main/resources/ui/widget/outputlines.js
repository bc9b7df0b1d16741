/** The lines that a task writes, while it writes them. */
import { useEffect, useState } from "../core/html.js";
import { output } from "../core/streams.js";

const DRAW_MS = 100;

/** The lines so far, read piece by piece; drawn ten times a second at most. */
export function useLines(id, live) {
  const [shown, setShown] = useState({ lines: [], ended: false, problem: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const lines = [""];
    let timer = 0;
    const draw = (more) => {
      clearTimeout(timer);
      timer = 0;
      setShown((old) => ({ ...old, lines: lines[lines.length - 1] === "" ? lines.slice(0, -1) : [...lines], ...more }));
    };
    const take = (text) => {
      const parts = text.split("\n");
      lines[lines.length - 1] += parts[0];
      for (let i = 1; i < parts.length; i++) {
        lines.push(parts[i]);
      }
      timer = timer || setTimeout(draw, DRAW_MS);
    };
    output(id, live, take, abort.signal).then(
      () => draw({ ended: true, problem: null }),
      (e) =>
        abort.signal.aborted
        || draw({ ended: true, problem: e instanceof TypeError ? new Error("The connection was lost.") : e }),
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id, turn]);
  return { ...shown, again: () => setTurn((t) => t + 1) };
}
