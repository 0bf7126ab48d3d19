/** The part of `cancelSeconds` in which running lines may finish. The rest is for writing the results, which takes seconds for 50,000 lines. */
export const runningLinesShare = 0.9;
/** Maximum number of batches that a server runs at once. */
export const maxConcurrentBatches = 32;
/** Maximum number of further batches that only have to be ended: they were cancelled, or their window has ended. */
export const maxUrgentBatches = 8;
/** The part of the memory for lines that one batch may take with more than one line, so that waiting batches leave room for others. */
export const maxMemoryShare = 1 / 64;
