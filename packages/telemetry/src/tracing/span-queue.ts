import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { TracingSettings } from './settings.ts';

/** Turns spans into the content of batches. */
export interface SpanEncoder {
  add(span: ReadableSpan): void;
  /** The spans that were added since the last call: at least one. */
  take(): Uint8Array;
}

export interface SpanBatch {
  readonly content: Uint8Array;
  /** Number of spans. */
  readonly spans: number;
}

export interface SpanQueueOptions {
  readonly encoder: SpanEncoder;
  readonly limits: TracingSettings['batches'];
  /** Resolves when the batch was exported, or was not. Never rejects. */
  readonly exportBatch: (batch: SpanBatch) => Promise<void>;
}

/** Batches that are exported at the same time when the queue is closed. The exporter of the SDK refuses more than 30. */
const exportsAtClose = 4;

/**
 * Exports spans in batches: when a batch is full, or some time after the first span. One batch is exported at a time. Spans that do not fit in
 * the queue meanwhile are dropped.
 *
 * Unlike the batch processor of the OpenTelemetry SDK, it passes spans to the encoder when they end, and not when they are exported: hundreds
 * of spans that wait survive several collections of garbage, which took as long as recording them.
 */
export class SpanQueue {
  readonly #options: SpanQueueOptions;
  /** Full batches that wait for the export of an earlier one. */
  readonly #full: SpanBatch[] = [];
  /** Spans in the encoder. */
  #encoded = 0;
  /** Spans in the encoder and in full batches. */
  #size = 0;
  /** The export in progress. */
  #exporting: Promise<void> | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  add(span: ReadableSpan): void {
    const { encoder, limits } = this.#options;
    if (this.#isClosed || this.#size >= limits.maxQueueSize) return;
    encoder.add(span);
    this.#size++;
    this.#encoded++;
    if (this.#encoded >= limits.maxExportBatchSize) this.#completeBatch();
    this.#schedule();
  }

  /** Exports all spans that wait, several batches at a time, and waits for the export in progress. Later spans are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const exportRest = async (): Promise<void> => {
      while (this.#size > 0) await this.#exportFirst();
    };
    await Promise.all([this.#exporting, ...Array.from({ length: exportsAtClose }, exportRest)]);
  }

  #schedule(): void {
    if (this.#exporting || this.#size === 0) return;
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
    if (this.#encoded === 0) return;
    this.#full.push({ content: this.#options.encoder.take(), spans: this.#encoded });
    this.#encoded = 0;
  }
}
