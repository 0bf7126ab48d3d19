/** The messages between the thread that records spans and the thread that exports them. */

export interface ExportThreadInit {
  readonly contentType: string;
  /** The type of the exporter in the conventions. */
  readonly component: string;
}

/** A batch to export. */
export interface ExportOrder {
  readonly id: number;
  /** The body of the request. */
  readonly content: Uint8Array;
  /** Number of spans. */
  readonly spans: number;
}

/** The thread is ready, or has exported a batch. */
export type ExportReport =
  | { readonly type: 'ready' }
  | {
      readonly type: 'exported';
      readonly id: number;
      /** Undefined if the batch was exported. */
      readonly error?: ExportError | undefined;
    };

export interface ExportError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | undefined;
}
