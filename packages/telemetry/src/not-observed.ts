/** The observation of what nobody observes. */
export const notObserved = { end: () => undefined } as const;
