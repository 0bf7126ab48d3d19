/** Bounds on what a form may hold beside its files. */
export const formLimits = {
  /** Bytes of a part's headers. */
  headerSize: 16 * 1024,
  headerPairs: 32,
  parts: 64,
};

export const maxFieldBytes = 256 * 1024;

/** Bytes of all that is not a file: text fields, headers, boundaries, and what stands before the first and after the last. */
export const formOverhead = 1024 * 1024;
