import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createTieredQueue } from '../../limits/tiered-queue.ts';
import { invalid } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import { pdfWorkerProgram } from './pdf-worker.ts';
import type { PdfReply, PdfTask } from './pdf-worker.ts';
import type { ReadPdf } from '../../options/types.ts';

export type { ReadPdf } from '../../options/types.ts';

export interface PdfLimits {
  /** Default 500. */
  readonly maxPages: number;
  /** Of the text of all pages. Default 1,000,000. */
  readonly maxCharacters: number;
  /** Default 20,000. */
  readonly timeoutMs: number;
  /** Heap limit of the thread; one decompressed stream may take an eighth of it. Default 512 MiB. */
  readonly maxMemoryBytes: number;
}

const defaults: PdfLimits = {
  maxPages: 500,
  maxCharacters: 1_000_000,
  timeoutMs: 20_000,
  maxMemoryBytes: 512 * 1024 * 1024,
};

/** Maximum number of files that are read at once, each in its own thread, and of requests that wait. */
const concurrency = 2;
const maxWaiting = 32;

/**
 * Reads the text of PDF files with the package `unpdf`, each in its own thread and within limits.
 *
 * @throws Error when `unpdf` is not installed.
 */
export function pdfReader(limits: Partial<PdfLimits> = {}): ReadPdf {
  const resolved: PdfLimits = { ...defaults, ...limits };
  const library = createRequire(import.meta.url).resolve('unpdf');
  const queue = createTieredQueue({ concurrency, maxWaiting, waitMs: resolved.timeoutMs });
  return async (bytes, { signal }) => {
    const release = await queue.acquire('default', signal);
    try {
      return textOf(
        await runWorker({ bytes, library, ...resolved, maxStreamBytes: resolved.maxMemoryBytes / 8 }, resolved, signal),
        resolved,
      );
    } finally {
      release();
    }
  };
}

async function runWorker(task: PdfTask, limits: PdfLimits, signal: AbortSignal): Promise<PdfReply | 'timeout'> {
  signal.throwIfAborted();
  const worker = new Worker(pdfWorkerProgram, {
    eval: true,
    workerData: task,
    // Discard the output of the library, so that file contents do not reach the log.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limits.maxMemoryBytes / 1024 / 1024) },
  });
  const reply = Promise.withResolvers<PdfReply | 'timeout'>();
  const onAbort = (): void => reply.reject(signal.reason);
  const timer = setTimeout(() => reply.resolve('timeout'), limits.timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', reply.resolve);
  // For instance out of memory, which the file causes, not the server.
  worker.once('error', () => reply.resolve({ problem: 'invalid' }));
  worker.once('exit', () => reply.resolve({ problem: 'invalid' }));
  try {
    return await reply.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function textOf(reply: PdfReply | 'timeout', { maxPages, maxCharacters, timeoutMs }: PdfLimits): string {
  if (reply === 'timeout') throw tooLarge(`it takes longer than ${timeoutMs} ms to read`);
  if ('text' in reply) {
    if (reply.text.trim() !== '') return reply.text;
    throw invalid(
      null,
      'The PDF has no text: its pages are images, such as scans. Send them as images, or a PDF with text.',
      'file_without_text',
    );
  }
  switch (reply.problem) {
    case 'pages':
      throw tooLarge(`it has ${reply.pages} pages, and at most ${maxPages} are read`);
    case 'characters':
      throw tooLarge(`its text is longer than ${maxCharacters} characters`);
    case 'stream':
      throw tooLarge('a compressed part of it is too large');
    case 'password':
      throw invalid(null, 'The PDF is password-protected. Send it without a password.', 'invalid_file');
    case 'invalid':
      throw invalid(null, 'The PDF cannot be read: it is damaged or not a PDF.', 'invalid_file');
  }
}

function tooLarge(reason: string): RequestError {
  return invalid(null, `The PDF is too large: ${reason}.`, 'file_too_large');
}
