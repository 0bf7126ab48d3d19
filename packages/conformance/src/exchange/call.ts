/** A file in a multipart form. */
export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Blob;
}

/** One request to the server. */
export interface Call {
  readonly method: string;
  /** Relative to the base URL, parameters filled in. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  /** SentRequest as JSON. */
  readonly body?: unknown;
  /** SentRequest as it is. */
  readonly raw?: { readonly content: string | Blob; readonly type: string };
  readonly form?: { readonly fields?: Readonly<Record<string, string>>; readonly file?: FormFile };
  readonly headers?: Readonly<Record<string, string>>;
  /** Another `authorization` than the run's; null for none. */
  readonly authorization?: string | null;
  /** Where the answer may be longer than usual. */
  readonly maxBytes?: number;
}
