/** A file in a multipart form. */
interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Blob;
}

/** A request to the server. */
export interface Call {
  readonly method: string;
  /** Relative to the base URL, with its parameters. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: { readonly content: string | Blob; readonly type: string };
  readonly form?: { readonly fields?: Readonly<Record<string, string>>; readonly file?: FormFile };
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the run's `authorization`; null omits it. */
  readonly authorization?: string | null;
  /** Stops reading for so long after the first piece of the body. */
  readonly readPauseMs?: number;
  /** Disconnects after the first piece of the body, which is then the response. */
  readonly leavesAfterFirst?: boolean;
  /** After a 429 with a short `retry-after`. Default 3. */
  readonly maxRetries?: number;
  /** For responses that may be larger than usual. */
  readonly maxBytes?: number;
}
