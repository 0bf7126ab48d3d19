import { UPLOAD_PART_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { uploadCompleteParamsSchema, uploadCreateParamsSchema, uploadPartFieldsSchema } from '../uploads/requests.ts';
import { uploadPartSchema, uploadSchema } from '../uploads/upload.ts';
import { objectNotFound, endpoint, form, json, idempotencyKeyInUse, invalidState } from './endpoint.ts';

const notPending = invalidState('The upload is completed, cancelled or expired.');

export const uploadEndpoints = {
  'uploads.create': endpoint('uploads.create', {
    route: routes.createUpload,
    summary: 'Create an upload, for a file that is sent in parts.',
    section: 'companion',
    request: [
      json(uploadCreateParamsSchema, {
        'A file of 11 bytes': { filename: 'notes.txt', bytes: 11, mime_type: 'text/plain', purpose: 'user_data' },
      }),
    ],
    response: uploadSchema,
    errors: [idempotencyKeyInUse],
  }),
  'uploads.parts.create': endpoint('uploads.parts.create', {
    route: routes.addUploadPart,
    summary: 'Add a part to an upload. Parts may be sent in parallel.',
    section: 'Add upload part',
    request: [
      form(
        uploadPartFieldsSchema,
        { 'A part': {} },
        {
          name: 'data',
          required: true,
          description: 'The bytes of the part.',
          maxBytes: UPLOAD_PART_MAX_BYTES,
        },
      ),
    ],
    response: uploadPartSchema,
    errors: [objectNotFound('upload'), notPending, idempotencyKeyInUse],
  }),
  'uploads.complete': endpoint('uploads.complete', {
    route: routes.completeUpload,
    summary: 'Complete an upload: join its parts into a file.',
    section: 'Complete upload',
    request: [json(uploadCompleteParamsSchema, { 'One part': { part_ids: ['part_abc123'] } })],
    response: uploadSchema,
    errors: [objectNotFound('upload'), notPending, idempotencyKeyInUse],
  }),
  'uploads.cancel': endpoint('uploads.cancel', {
    route: routes.cancelUpload,
    summary: 'Cancel an upload.',
    section: 'companion',
    response: uploadSchema,
    errors: [objectNotFound('upload'), notPending],
  }),
};
