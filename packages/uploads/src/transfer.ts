import { AbortError, InputError, isModelwireError, ModelwireError } from '@modelwire/core';
import type { CallOptions } from '@modelwire/core';
import type { Upload, UploadCreateParams } from '@modelwire/schema/types';
import type { UploadCalls } from './calls.ts';
import { openMd5 } from './checksum.ts';
import type { Md5Option } from './checksum.ts';
import { planParts } from './plan.ts';
import type { Plan } from './plan.ts';
import { readBlob, readStream } from './source.ts';
import type { PartReader, StreamedFile } from './source.ts';
import { acknowledged, copyState, emptyState, resumedState } from './state.ts';
import type { Growing, UploadState } from './state.ts';

/** How far an upload is. Only what the server has acknowledged counts. */
export interface UploadProgress {
  readonly bytes: number;
  readonly total: number;
  readonly parts: number;
  readonly totalParts: number;
  /** To resume from if the process ends here. */
  readonly state: UploadState;
}

type Declared = Pick<UploadCreateParams, 'purpose' | 'expires_after'>;

/** A file, and how to send it. `maxRetries`, `timeouts` and `headers` hold for each request. */
export interface UploadFileOptions extends Declared, Omit<CallOptions, 'idempotencyKey'> {
  /** A `Blob` or `File`, also one on disk (`fs.openAsBlob`), or a stream with its size. */
  readonly file: Blob | StreamedFile;
  /** Default: the name of a `File`, else `blob`. */
  readonly filename?: string | undefined;
  /** Default: the type of a `Blob`, else `application/octet-stream`. */
  readonly mime_type?: string | undefined;
  /** Bytes of each part but the last, at most 64 MB. Default 16 MiB, or what `resume` says. */
  readonly partSize?: number | undefined;
  /** Parts under way at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Whether the server is to verify the whole by its MD5 checksum. Default false. */
  readonly md5?: Md5Option | undefined;
  /** The state of an upload that broke off: only what is missing is sent. */
  readonly resume?: UploadState | undefined;
  /** Told when the upload is open, and of each part that the server has acknowledged. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Gives the upload up on the server when `signal` aborts; it can then not be resumed. Default false. */
  readonly cancelOnAbort?: boolean | undefined;
}

/** The completed upload, whose `file` is the file made. */
export interface FileUpload extends Promise<Upload> {
  /** How far it is, also after a failure: give it back as `resume`. `undefined` before the upload is open. */
  state(): UploadState | undefined;
}

/** See `UploadsClient.upload`. */
export function uploadFile(calls: UploadCalls, options: UploadFileOptions): FileUpload {
  let state: Growing | undefined;
  return Object.assign(run(), { state: () => state && copyState(state) });

  async function run(): Promise<Upload> {
    const { file, signal, concurrency = 4, md5, resume, headers, maxRetries, timeouts } = options;
    const size = file.size;
    if (resume !== undefined) state = resumedState(resume, size, options.partSize);
    const plan = planParts(size, state?.part_size ?? options.partSize);
    if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
      throw new InputError('concurrency must be a whole number from 1.', { param: 'concurrency' });
    }

    // Stops the other requests when one fails for good; linked by hand, since AbortSignal.any leaks.
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
    const call: CallOptions = { signal: controller.signal, headers, maxRetries, timeouts };
    try {
      const sum = await openMd5(md5);
      if (state === undefined) {
        const { id, expires_at } = await calls.create(declare(options), call);
        state = emptyState(plan, id, expires_at);
      }
      return await transfer(state, plan, call, controller, sum, concurrency);
    } catch (error) {
      // Nothing is left to resume from where the caller wants it gone.
      if (signal?.aborted === true && options.cancelOnAbort === true && state !== undefined) {
        await calls.cancel(state.upload_id, { headers, maxRetries, timeouts }).then(
          () => (state = undefined),
          () => undefined,
        );
      }
      throw toModelwireError(error, signal);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      controller.abort();
    }
  }

  async function transfer(
    state: Growing,
    plan: Plan,
    call: CallOptions,
    controller: AbortController,
    md5: Awaited<ReturnType<typeof openMd5>>,
    concurrency: number,
  ): Promise<Upload> {
    const { file } = options;
    const reading = { plan, md5, signal: controller.signal, has: (index: number) => state.part_ids[index] !== null };
    const reader = 'slice' in file ? readBlob(file, reading) : readStream(file.stream, reading);
    const done = acknowledged(plan, state);
    const report = (): void =>
      options.onProgress?.({ ...done, total: plan.bytes, totalParts: plan.parts, state: copyState(state) });
    report();

    const failures: unknown[] = [];
    const send = async (): Promise<void> => {
      try {
        await sendParts(reader);
      } catch (error) {
        failures.push(error);
        controller.abort();
      }
    };
    // One at least: it finds out whether a stream of 0 bytes has ended.
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, plan.parts)) }, send));
    // The first failure counts: those of the others come of it.
    if (failures.length > 0) throw failures[0];

    const checksum = typeof options.md5 === 'string' ? options.md5 : await reader.checksum();
    const part_ids = state.part_ids.filter((id) => id !== null);
    return calls.complete(state.upload_id, { part_ids, ...(checksum !== undefined && { md5: checksum }) }, call);

    async function sendParts(reader: PartReader): Promise<void> {
      for (let part; (part = await reader.next()) !== undefined;) {
        const { id } = await calls.parts.create(state.upload_id, { data: part.data }, call);
        state.part_ids[part.index] = id;
        done.bytes += part.data.size;
        done.parts++;
        report();
      }
    }
  }
}

function declare({ file, filename, mime_type, purpose, expires_after }: UploadFileOptions): UploadCreateParams {
  const own = 'name' in file && typeof file.name === 'string' ? file.name : 'blob';
  const type = 'type' in file && file.type !== '' ? file.type : 'application/octet-stream';
  return {
    filename: filename ?? own,
    bytes: file.size,
    mime_type: mime_type ?? type,
    purpose,
    ...(expires_after !== undefined && { expires_after }),
  };
}

/** What a source, a checksum or a callback threw comes out as the `cause`. */
function toModelwireError(error: unknown, signal: AbortSignal | undefined): ModelwireError {
  if (signal?.aborted === true) {
    return error instanceof AbortError
      ? error
      : new AbortError('The caller stopped the upload.', { cause: signal.reason });
  }
  if (isModelwireError(error)) return error;
  return new ModelwireError('The file could not be sent: see the cause.', { cause: error });
}
