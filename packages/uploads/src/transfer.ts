import { AbortError, InputError, isModelwireError, ModelwireError } from '@modelwire/core';
import type { CallOptions } from '@modelwire/core';
import type { Upload, UploadCreateParams } from '@modelwire/schema/types';
import type { UploadCalls } from './calls.ts';
import { createMd5 } from './checksum.ts';
import type { Md5Option } from './checksum.ts';
import { planParts } from './plan.ts';
import type { UploadPlan } from './plan.ts';
import { readBlob, readStream } from './source.ts';
import type { PartReader, StreamedFile } from './source.ts';
import { acknowledgedParts, copyUploadState, newUploadState, resumeUploadState } from './state.ts';
import type { MutableUploadState, UploadState } from './state.ts';

/** The progress of an upload. Only parts that the server has acknowledged count. */
export interface UploadProgress {
  readonly bytes: number;
  readonly total: number;
  readonly parts: number;
  readonly totalParts: number;
  /** Pass it as `resume` to continue after a restart. */
  readonly state: UploadState;
}

type CreateParams = Pick<UploadCreateParams, 'purpose' | 'expires_after'>;

/** A file and how to send it. `maxRetries`, `timeouts` and `headers` apply to each request. */
export interface UploadFileOptions extends CreateParams, Omit<CallOptions, 'idempotencyKey'> {
  /** A `Blob` or `File`, also one on disk (`fs.openAsBlob`), or a stream with its size. */
  readonly file: Blob | StreamedFile;
  /** Default: the name of a `File`, else `blob`. */
  readonly filename?: string | undefined;
  /** Default: the type of a `Blob`, else `application/octet-stream`. */
  readonly mime_type?: string | undefined;
  /** Bytes of each part except the last, at most 64 MB. Default 16 MiB, or the part size of `resume`. */
  readonly partSize?: number | undefined;
  /** The maximum number of concurrent requests. Default 4. */
  readonly concurrency?: number | undefined;
  /** Whether the server verifies the MD5 checksum of the file. Default false. */
  readonly md5?: Md5Option | undefined;
  /** The state of an interrupted upload: only missing parts are sent. */
  readonly resume?: UploadState | undefined;
  /** Called when the upload has been created, and for each part that the server has acknowledged. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Cancels the upload on the server when `signal` aborts; it cannot be resumed then. Default false. */
  readonly cancelOnAbort?: boolean | undefined;
}

/** Resolves with the completed upload, whose `file` is the created file. */
export interface FileUpload extends Promise<Upload> {
  /** The progress, also after a failure, to pass as `resume`. `undefined` before the upload is created. */
  state(): UploadState | undefined;
}

/** See `UploadsClient.upload`. */
export function uploadFile(calls: UploadCalls, options: UploadFileOptions): FileUpload {
  let state: MutableUploadState | undefined;
  return Object.assign(run(), { state: () => state && copyUploadState(state) });

  async function run(): Promise<Upload> {
    const { file, signal, concurrency = 4, md5, resume, headers, maxRetries, timeouts } = options;
    const size = file.size;
    if (resume !== undefined) state = resumeUploadState(resume, size, options.partSize);
    const plan = planParts(size, state?.part_size ?? options.partSize);
    if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
      throw new InputError('concurrency must be an integer of at least 1.', { param: 'concurrency' });
    }

    // Aborts the other requests when one fails; linked manually, since AbortSignal.any leaks.
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
    const call: CallOptions = { signal: controller.signal, headers, maxRetries, timeouts };
    try {
      const hash = await createMd5(md5);
      if (state === undefined) {
        const { id, expires_at } = await calls.create(createParams(options), call);
        state = newUploadState(plan, id, expires_at);
      }
      return await transfer(state, plan, call, controller, hash, concurrency);
    } catch (error) {
      if (signal?.aborted === true && options.cancelOnAbort === true && state !== undefined) {
        await calls.cancel(state.upload_id, { headers, maxRetries, timeouts }).then(
          () => (state = undefined),
          () => undefined,
        );
      }
      throw wrapError(error, signal);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      controller.abort();
    }
  }

  async function transfer(
    state: MutableUploadState,
    plan: UploadPlan,
    call: CallOptions,
    controller: AbortController,
    md5: Awaited<ReturnType<typeof createMd5>>,
    concurrency: number,
  ): Promise<Upload> {
    const { file } = options;
    const readOptions = {
      plan,
      md5,
      signal: controller.signal,
      has: (index: number) => state.part_ids[index] !== null,
    };
    const reader = 'slice' in file ? readBlob(file, readOptions) : readStream(file.stream, readOptions);
    const done = acknowledgedParts(plan, state);
    const report = (): void =>
      options.onProgress?.({ ...done, total: plan.bytes, totalParts: plan.parts, state: copyUploadState(state) });
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
    // The first failure is the cause of the others.
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

function createParams({ file, filename, mime_type, purpose, expires_after }: UploadFileOptions): UploadCreateParams {
  const defaultName = 'name' in file && typeof file.name === 'string' ? file.name : 'blob';
  const type = 'type' in file && file.type !== '' ? file.type : 'application/octet-stream';
  return {
    filename: filename ?? defaultName,
    bytes: file.size,
    mime_type: mime_type ?? type,
    purpose,
    ...(expires_after !== undefined && { expires_after }),
  };
}

/** Wraps what a source, a checksum or a callback threw. */
function wrapError(error: unknown, signal: AbortSignal | undefined): ModelwireError {
  if (signal?.aborted === true) {
    return error instanceof AbortError
      ? error
      : new AbortError('The caller aborted the upload.', { cause: signal.reason });
  }
  if (isModelwireError(error)) return error;
  return new ModelwireError('The file could not be uploaded: see the cause.', { cause: error });
}
