/** The messages between the thread that records spans and the thread that exports them. */

export interface ExportThreadInit {
  readonly contentType: string;
  /** The component type of the exporter in the semantic conventions. */
  readonly component: string;
}

/** A batch to export. */
export interface ExportRequest {
  readonly id: number;
  /** The body of the HTTP request. */
  readonly content: Uint8Array;
  /** The number of spans in the batch. */
  readonly spans: number;
}

/** Reports that the thread is ready, or that the export of a batch has ended. */
export type ExportThreadMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'exported';
      readonly id: number;
      /** Why the export failed; undefined if it succeeded. */
      readonly failure?: string | undefined;
    };
