/** The text of a PDF. @throws a RequestError that says what is wrong with the file, without naming where it stands. */
export type ReadPdf = (bytes: Uint8Array, init: { readonly signal: AbortSignal }) => Promise<string>;
