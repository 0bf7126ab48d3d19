/** A no-op observation. */
export const noopObservation = { end: () => undefined } as const;
