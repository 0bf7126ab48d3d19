/** The part of `cancelSeconds` in which lines at work may end; the rest is for writing the results, seconds for 50,000 lines. */
export const linesShare = 0.9;
/** Batches that a server runs at once. */
export const maxConcurrentBatches = 32;
/** Batches that are cancelled, or whose window is over, and are ended though there be no place for them. */
export const maxUrgentBatches = 8;
/** Of the memory for lines, what one batch takes with more than one line: those that wait leave the others room. */
export const memoryShare = 1 / 64;
