import { fileDeletedSchema, fileListSchema, fileSchema } from '../files/file.ts';
import { fileCreateFieldsSchema, fileListQuerySchema } from '../files/requests.ts';
import { FILE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { objectNotFound, endpoint, form, idempotencyKeyInUse, outOfRange } from './endpoint.ts';

export const fileEndpoints = {
  'files.create': endpoint('files.create', {
    route: routes.createFile,
    summary: 'Upload a file in one request.',
    section: 'companion',
    request: [
      form(
        fileCreateFieldsSchema,
        { 'A text file': { purpose: 'user_data' } },
        {
          name: 'file',
          required: true,
          description: 'The content of the file, with its file name.',
          maxBytes: FILE_MAX_BYTES,
        },
      ),
    ],
    response: fileSchema,
    errors: [idempotencyKeyInUse],
  }),
  'files.list': endpoint('files.list', {
    route: routes.listFiles,
    summary: 'List files.',
    section: 'companion',
    query: fileListQuerySchema,
    response: fileListSchema,
  }),
  'files.retrieve': endpoint('files.retrieve', {
    route: routes.retrieveFile,
    summary: 'Retrieve the metadata of a file.',
    section: 'companion',
    response: fileSchema,
    errors: [objectNotFound('file')],
  }),
  'files.delete': endpoint('files.delete', {
    route: routes.deleteFile,
    summary: 'Delete a file.',
    section: 'companion',
    response: fileDeletedSchema,
    errors: [objectNotFound('file')],
  }),
  'files.content': endpoint('files.content', {
    route: routes.retrieveFileContent,
    summary: 'Download the content of a file.',
    section: 'companion',
    response: {
      type: 'binary',
      mediaTypes: ['application/octet-stream', 'application/jsonl', 'application/json', 'text/plain', '*/*'],
      description:
        'The bytes of the file, with the media type it was uploaded with; `application/jsonl` for the output of a batch, `application/octet-stream` where none was given.',
    },
    errors: [objectNotFound('file'), outOfRange],
  }),
};
