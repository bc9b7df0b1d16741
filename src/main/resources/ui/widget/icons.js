/** Pictures of 16 × 16, drawn in the colour of the text around them. Each has a shape of its own. */
import { html } from "../core/html.js";

const RING = "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z";
const SHAPES = {
  SUCCEEDED: { disc: RING, line: "M4.8 8.3l2.2 2.2l4.2-4.6" },
  FAILED: { line: "M3.5 3.5l9 9M12.5 3.5l-9 9", wide: true },
  TIMED_OUT: { disc: RING, line: "M8 4.3V8l2.6 1.8" },
  KILLED: {
    disc: "M2.5 1.5h11a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1z",
    line: "M5.6 5.6h4.8v4.8h-4.8z",
  },
  LOST: { disc: "M8 1L15 14H1z", line: "M8 5.8v3.6M8 11.3v.6" },
  SKIPPED: { line: "M3 4l4 4l-4 4M8 4l4 4l-4 4M14 4v8" },
  MISSED: { ring: "2.6 2.4", line: "M8 4.8v3.8M8 10.8v.5" },
  CANCELLED: { ring: "", line: "M4 12L12 4" },
  EXPANDED: { line: "M8 2v4M8 6l-5 4v4M8 6l5 4v4M8 6v8" },
  EXECUTING: { line: "M5 3l8 5l-8 5z", fill: true },
  PREPARED: { line: "M5 3l8 5l-8 5z" },
  IDLE: { ring: "" },
  HELD: { line: "M4.5 2h7M4.5 14h7M5.5 2c0 4 5 3.5 5 6s-5 2-5 6M10.5 2c0 4-5 3.5-5 6s5 2 5 6" },
  STUCK: { line: "M4 2.500h8M4 13.500h8M8 5v3.500M8 10.500v.5", wide: true },
  PAUSED: { line: "M5.5 3v10M10.5 3v10", wide: true },
  ENDED: { line: "M3 8h10" },
  ALIVE: { disc: RING, line: "M4.8 8.300l2.2 2.200l4.2-4.6" },
  DRAINING: { line: "M8 2v9M4.5 8L8 11.500L11.5 8M3 14h10" },
  STOPPING: { line: "M3.5 3.500h9v9h-9z" },
  GONE: { disc: "M8 1L15 14H1z", line: "M8 5.800v3.600M8 11.300v.6" },
  UNKNOWN: { ring: "1 3" },
  search: { line: "M7 2.500a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9zM10.4 10.400L14 14" },
  close: { line: "M4 4l8 8M12 4l-8 8" },
};

export function Icon({ name, size = 16 }) {
  const shape = SHAPES[name] ?? SHAPES.UNKNOWN;
  return html`<svg class="icon" viewBox="0 0 16 16" width=${size} height=${size} aria-hidden="true" focusable="false">
    ${shape.disc && html`<path class="disc" d=${shape.disc} fill="currentColor" />`}
    ${
      shape.ring !== undefined
      && html`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor"
      stroke-width="1.6" stroke-dasharray=${shape.ring || undefined} />`
    }
    ${
      shape.line
      && html`<path class=${shape.disc ? "on-disc" : ""} d=${shape.line} stroke-linecap="round"
      stroke-linejoin="round" fill=${shape.fill ? "currentColor" : "none"} stroke-width=${shape.wide ? 2.6 : 1.7} />`
    }
  </svg>`;
}
