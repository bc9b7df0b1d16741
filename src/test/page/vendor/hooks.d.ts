import type { Dispatch, StateUpdater } from "preact/hooks";

export * from "preact/hooks";

/** A state that begins with null is most often an answer of the server: those have no types here. */
export function useState(none: null): [any, Dispatch<any>];
export function useState<S>(initial: S | (() => S)): [S, Dispatch<StateUpdater<S>>];
