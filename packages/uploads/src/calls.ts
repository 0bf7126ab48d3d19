import { encodeForm, toFormFile, uploadTimeouts } from '@modelwire/core';
import type { ApiPromise, CallOptions, Transport, Uploadable } from '@modelwire/core';
import { addUploadPart, cancelUpload, completeUpload, createUpload } from '@modelwire/schema/routes';
import type {
  Upload,
  UploadCompleteParams,
  UploadCreateParams,
  UploadPart,
  UploadPartCreateParams,
} from '@modelwire/schema/types';
import { PART_MAX_BYTES } from './plan.ts';

/** The form of Add upload part. */
export interface UploadPartInput extends Omit<UploadPartCreateParams, 'data'> {
  /** At most 64 MB: a `Blob` or `File`, a stream (also `fs.createReadStream`), or a `Response`. Streams are not retried. */
  readonly data: Uploadable;
}

export interface UploadParts {
  /** Adds a part of at most 64 MB (API: Add upload part). Parts can be sent in parallel and in any order. */
  create(uploadId: string, params: UploadPartInput, options?: CallOptions): ApiPromise<UploadPart>;
}

/** Determines the timeouts of a stream, whose size is unknown. */
const STREAM_MAX_BYTES = PART_MAX_BYTES;

/** The endpoints of uploads. Every method rejects only with a `ModelwireError`. */
export interface UploadCalls {
  /** Creates an upload of at most 8 GB. The server keeps it for an hour. */
  create(params: UploadCreateParams, options?: CallOptions): ApiPromise<Upload>;
  readonly parts: UploadParts;
  /** Joins the parts to a file (API: Complete upload), in the order of `part_ids`. */
  complete(uploadId: string, params: UploadCompleteParams, options?: CallOptions): ApiPromise<Upload>;
  /** Cancels an upload. */
  cancel(uploadId: string, options?: CallOptions): ApiPromise<Upload>;
}

export function createCalls(transport: Transport): UploadCalls {
  return {
    create: (body, options) => transport.request(createUpload, { ...options, body }),
    parts: {
      create: (upload_id, { data }, options) =>
        transport.request(addUploadPart, {
          ...options,
          params: { upload_id },
          body: encodeForm({ data: toFormFile(data) }),
          defaultTimeouts: uploadTimeouts('size' in data ? data.size : STREAM_MAX_BYTES),
        }),
    },
    complete: (upload_id, body, options) =>
      transport.request(completeUpload, { ...options, params: { upload_id }, body }),
    cancel: (upload_id, options) => transport.request(cancelUpload, { ...options, params: { upload_id } }),
  };
}
