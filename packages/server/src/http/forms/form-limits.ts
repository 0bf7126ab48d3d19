/** Limits of a form, apart from its files. */
export const formLimits = {
  /** Bytes of a part's headers. */
  headerSize: 16 * 1024,
  headerPairs: 32,
  parts: 64,
};

export const maxFieldBytes = 256 * 1024;

/** Bytes of everything but files: text fields, headers, boundaries, preamble and epilogue. */
export const formOverhead = 1024 * 1024;
