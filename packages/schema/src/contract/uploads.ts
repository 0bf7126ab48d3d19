import { UPLOAD_PART_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { uploadCompleteParamsSchema, uploadCreateParamsSchema, uploadPartFieldsSchema } from '../uploads/requests.ts';
import { uploadPartSchema, uploadSchema } from '../uploads/upload.ts';
import { absent, endpoint, form, json, keyTaken, wrongState } from './endpoint.ts';

const notPending = wrongState('The upload is completed, cancelled or expired.');

export const uploadEndpoints = {
  'uploads.create': endpoint('uploads.create', {
    route: routes.createUpload,
    summary: 'Begin an upload in parts.',
    section: 'companion',
    request: [json(uploadCreateParamsSchema)],
    response: uploadSchema,
    errors: [keyTaken],
  }),
  'uploads.parts.create': endpoint('uploads.parts.create', {
    route: routes.addUploadPart,
    summary: 'Add a part; parts may be sent in parallel.',
    section: 'Add upload part',
    request: [
      form(uploadPartFieldsSchema, {
        name: 'data',
        required: true,
        description: 'The bytes of the part.',
        maxBytes: UPLOAD_PART_MAX_BYTES,
      }),
    ],
    response: uploadPartSchema,
    errors: [absent('upload'), notPending, keyTaken],
  }),
  'uploads.complete': endpoint('uploads.complete', {
    route: routes.completeUpload,
    summary: 'Join the parts into a file.',
    section: 'Complete upload',
    request: [json(uploadCompleteParamsSchema)],
    response: uploadSchema,
    errors: [absent('upload'), notPending],
  }),
  'uploads.cancel': endpoint('uploads.cancel', {
    route: routes.cancelUpload,
    summary: 'Give up an upload.',
    section: 'companion',
    response: uploadSchema,
    errors: [absent('upload'), notPending],
  }),
};
