import { Worker } from 'node:worker_threads';
import type { ISerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { exportFailureCause } from './export-failure-cause.ts';
import type { ExportRequest, ExportThreadMessage, ExportThreadInit } from './export-messages.ts';
import type { RecordedSpan } from './recorded-span.ts';
import { SpanSerializer } from './serialize-spans.ts';
import type { TracingSettings } from './settings.ts';
import { SpanQueue } from './span-queue.ts';
import type { SpanBatch, SpanEncoder } from './span-queue.ts';

/** With messages, which can have 128 KiB in each span, fewer spans wait to be serialized: the event loop does nothing else meanwhile. */
const groupSizeWithContent = 32;
/** The minimum time between two starts of the thread. */
const restartDelayMs = 10_000;

export interface OtlpExporter {
  /** Adds a span that has ended. */
  add(span: RecordedSpan): void;
  /** Exports the remaining spans. Never rejects. */
  close(): Promise<void>;
}

/**
 * Creates an exporter that sends spans over HTTP. Endpoint, headers, timeout, compression and certificates come from the OpenTelemetry
 * environment variables.
 *
 * A worker thread sends the requests. An HTTP client in the main thread took more time than recording the spans: it calls the code of Node's
 * streams and HTTP messages with other object shapes than the server, so that V8 optimizes it less.
 *
 * @param onExportFailure Called with the cause when an export fails, but only once until an export has succeeded again, and for the first span
 *   that cannot be encoded.
 * @throws if the packages of the thread are not installed.
 */
export async function createOtlpExporter(
  { protocol, batches: limits, capturesContent }: Pick<TracingSettings, 'protocol' | 'batches' | 'capturesContent'>,
  onExportFailure: (cause: string) => void,
): Promise<OtlpExporter> {
  const isJson = protocol === 'http/json';
  const init: ExportThreadInit = isJson
    ? { contentType: 'application/json', component: 'otlp_http_json_span_exporter' }
    : { contentType: 'application/x-protobuf', component: 'otlp_http_span_exporter' };
  let hasReportedSpan = false;
  const onSpanError = (error: unknown): void => {
    if (!hasReportedSpan) onExportFailure(`span not encoded: ${exportFailureCause(error, undefined)}`);
    hasReportedSpan = true;
  };
  const encoder = isJson
    ? await createJsonEncoder(onSpanError)
    : new SpanSerializer(onSpanError, capturesContent ? groupSizeWithContent : undefined);
  let thread = await startExportThread(init);
  let startedAt = performance.now();
  let isClosing = false;
  let hasFailed = false;
  function onEnd(failure: string | undefined): void {
    if (failure !== undefined && !hasFailed) onExportFailure(failure);
    hasFailed = failure !== undefined;
  }
  async function exportBatch(batch: SpanBatch): Promise<void> {
    if (thread.hasExited() && !isClosing && performance.now() - startedAt >= restartDelayMs) {
      startedAt = performance.now();
      try {
        thread = await startExportThread(init);
      } catch (error) {
        onEnd(`thread not started: ${exportFailureCause(error, undefined)}`);
        return;
      }
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limits.exportTimeoutMillis);
      thread.export(batch, (failure) => {
        clearTimeout(timer);
        onEnd(failure);
        resolve();
      });
    });
  }
  const queue = new SpanQueue({ encoder, limits, exportBatch });
  return {
    add: (span) => queue.add(span),
    async close() {
      isClosing = true;
      await queue.close();
      await thread.close();
    },
  };
}

async function createJsonEncoder(onError: (error: unknown) => void): Promise<SpanEncoder> {
  const { JsonTraceSerializer } = await import('@opentelemetry/otlp-transformer');
  return new JsonEncoder(JsonTraceSerializer, onError);
}

/** Collects spans and serializes them together, because the JSON serializer does not accept spans one by one. */
class JsonEncoder implements SpanEncoder {
  readonly #serializer: ISerializer<ReadableSpan[], object>;
  readonly #onError: (error: unknown) => void;
  #spans: ReadableSpan[] = [];

  constructor(serializer: ISerializer<ReadableSpan[], object>, onError: (error: unknown) => void) {
    this.#serializer = serializer;
    this.#onError = onError;
  }

  add(span: RecordedSpan): void {
    try {
      // Here, an error loses only this span.
      span.createDetails();
      this.#spans.push(span);
    } catch (error) {
      this.#onError(error);
    }
  }

  take(): Uint8Array<ArrayBuffer> {
    const spans = this.#spans;
    this.#spans = [];
    return new Uint8Array(this.#serializer.serializeRequest(spans) ?? []);
  }
}

interface ExportThread {
  /** Exports a batch, and calls `onEnd` with the cause of the failure, or `undefined` if the export succeeded. */
  export(batch: SpanBatch, onEnd: (failure: string | undefined) => void): void;
  hasExited(): boolean;
  /** Terminates the thread. Exports that have not ended fail. */
  close(): Promise<void>;
}

/** With `node --watch`, threads also report the files that they load. */
interface WatchReport {
  readonly type?: undefined;
}

/** Resolves when the thread has loaded its modules. */
async function startExportThread(init: ExportThreadInit): Promise<ExportThread> {
  const here = import.meta.url;
  const worker = new Worker(new URL(here.endsWith('.ts') ? './export-thread.ts' : './export-thread.js', here), {
    workerData: init,
    name: 'modelwire-traces',
    // Batches count as memory of the thread. With a larger young generation, they accumulate until a full garbage collection, which takes longer.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  const running = new Map<number, (failure: string | undefined) => void>();
  let failure: Error | undefined;
  let exports = 0;
  worker.on('error', (error) => (failure = error instanceof Error ? error : new Error(String(error))));
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: ExportThreadMessage | WatchReport) => {
      if (message.type === 'ready') resolve();
      else if (message.type === 'exported') end(message.id, message.failure);
    });
    worker.on('exit', () => {
      failure ??= new Error('The thread that exports traces has exited.');
      reject(failure);
      for (const id of running.keys()) end(id, threadFailure(failure));
    });
  });
  function end(id: number, cause: string | undefined): void {
    running.get(id)?.(cause);
    running.delete(id);
  }
  await ready;
  worker.unref();
  return {
    export({ content, spans }, onEnd) {
      if (failure) {
        onEnd(threadFailure(failure));
        return;
      }
      const request: ExportRequest = { id: exports++, content, spans };
      running.set(request.id, onEnd);
      // Transferred, so that it is not copied.
      worker.postMessage(request, [content.buffer]);
    },
    hasExited: () => failure !== undefined,
    async close() {
      await worker.terminate();
    },
  };
}

function threadFailure(error: Error): string {
  const cause = exportFailureCause(error, undefined);
  return cause === 'Error' ? 'thread exited' : `thread exited: ${cause}`;
}
