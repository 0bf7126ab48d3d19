/** A no-op observation. */
export const notObserved = { end: () => undefined } as const;
