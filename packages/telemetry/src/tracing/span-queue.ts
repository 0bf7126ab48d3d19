import type { RecordedSpan } from './recorded-span.ts';
import type { TracingSettings } from './settings.ts';

/** Encodes spans as the content of batches. */
export interface SpanEncoder {
  add(span: RecordedSpan): void;
  /** Returns the encoded spans that were added since the last call; there must be at least one. The caller owns the buffer. */
  take(): Uint8Array<ArrayBuffer>;
}

export interface SpanBatch {
  readonly content: Uint8Array<ArrayBuffer>;
  /** The number of spans in the batch. */
  readonly spans: number;
}

export interface SpanQueueOptions {
  readonly encoder: SpanEncoder;
  readonly limits: TracingSettings['batches'];
  /** Resolves when the export has succeeded or failed. Never rejects. */
  readonly exportBatch: (batch: SpanBatch) => Promise<void>;
}

/** The maximum number of concurrent exports while the queue is closed. The exporter of the SDK rejects more than 30. */
const maxConcurrentExportsAtClose = 4;

/**
 * Exports spans in batches: when a batch is full, or `scheduledDelayMillis` after its first span. One batch is exported at a time. Spans that
 * exceed the queue size in the meantime are dropped.
 *
 * Unlike the batch span processor of the OpenTelemetry SDK, it passes spans to the encoder when they end, and not when they are exported. The
 * encoder of Protocol Buffers encodes small groups: hundreds of queued spans would survive several garbage collections, which took as long as
 * recording them.
 */
export class SpanQueue {
  readonly #options: SpanQueueOptions;
  /** Complete batches that wait for the export of an earlier one. */
  readonly #full: SpanBatch[] = [];
  /** The number of spans in the encoder. */
  #inEncoder = 0;
  /** The number of spans in the encoder and in complete batches. */
  #size = 0;
  /** The export in progress. */
  #exporting: Promise<void> | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  add(span: RecordedSpan): void {
    const { encoder, limits } = this.#options;
    if (this.#isClosed || this.#size >= limits.maxQueueSize) return;
    encoder.add(span);
    this.#size++;
    this.#inEncoder++;
    if (this.#inEncoder >= limits.maxExportBatchSize) this.#completeBatch();
    this.#schedule();
  }

  /** Exports all queued spans, several batches at a time, and waits for the export in progress. Spans that are added later are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const exportRest = async (): Promise<void> => {
      while (this.#size > 0) await this.#exportFirst();
    };
    await Promise.all([this.#exporting, ...Array.from({ length: maxConcurrentExportsAtClose }, exportRest)]);
  }

  #schedule(): void {
    if (this.#isClosed || this.#exporting || this.#size === 0) return;
    if (this.#full.length > 0) this.#exportNext();
    else this.#timer ??= setTimeout(() => this.#exportNext(), this.#options.limits.scheduledDelayMillis).unref();
  }

  #exportNext(): void {
    this.#exporting = this.#exportFirst().then(() => {
      this.#exporting = undefined;
      this.#schedule();
    });
  }

  #exportFirst(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#full.length === 0) this.#completeBatch();
    const batch = this.#full.shift();
    if (!batch) return Promise.resolve();
    this.#size -= batch.spans;
    return this.#options.exportBatch(batch);
  }

  #completeBatch(): void {
    if (this.#inEncoder === 0) return;
    const spans = this.#inEncoder;
    this.#inEncoder = 0;
    this.#full.push({ content: this.#options.encoder.take(), spans });
  }
}
