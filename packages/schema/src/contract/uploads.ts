import { UPLOAD_PART_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { uploadCompleteParamsSchema, uploadCreateParamsSchema, uploadPartFieldsSchema } from '../uploads/requests.ts';
import { uploadPartSchema, uploadSchema } from '../uploads/upload.ts';
import { endpoint, endpoints, json, streamedForm } from './endpoint.ts';
import * as errors from './errors.ts';

const notPending = errors.invalidState('The upload is completed, cancelled or expired.');

export const uploadEndpoints = endpoints(
  {
    'uploads.create': endpoint(
      routes.createUpload,
      'Create an upload, for a file that is sent in parts.',
      uploadSchema,
      {
        request: [
          json(uploadCreateParamsSchema, {
            'A file of 11 bytes': { filename: 'notes.txt', bytes: 11, mime_type: 'text/plain', purpose: 'user_data' },
          }),
        ],
        errors: [errors.idempotencyKeyInUse],
      },
    ),
    'uploads.parts.create': endpoint(
      routes.addUploadPart,
      'Add a part to an upload. Parts may be sent in parallel.',
      uploadPartSchema,
      {
        section: 'Add upload part',
        request: [
          streamedForm(
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
        errors: [notPending, errors.idempotencyKeyInUse],
      },
    ),
    'uploads.complete': endpoint(
      routes.completeUpload,
      'Complete an upload: join its parts into a file.',
      uploadSchema,
      {
        section: 'Complete upload',
        request: [json(uploadCompleteParamsSchema, { 'One part': { part_ids: ['part_abc123'] } })],
        errors: [notPending, errors.idempotencyKeyInUse],
      },
    ),
    'uploads.cancel': endpoint(routes.cancelUpload, 'Cancel an upload.', uploadSchema, { errors: [notPending] }),
  },
  ['stores', 'blobs'],
);
