import { fileDeletedSchema, fileListSchema, fileSchema } from '../files/file.ts';
import { fileCreateFieldsSchema, fileListQuerySchema } from '../files/requests.ts';
import { FILE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { absent, endpoint, form, keyTaken } from './endpoint.ts';

export const fileEndpoints = {
  'files.create': endpoint('files.create', {
    route: routes.createFile,
    summary: 'Upload a file in one request.',
    section: 'companion',
    request: [
      form(fileCreateFieldsSchema, {
        name: 'file',
        required: true,
        description: 'The file.',
        maxBytes: FILE_MAX_BYTES,
      }),
    ],
    response: fileSchema,
    errors: [keyTaken],
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
    summary: 'Read what is known of a file.',
    section: 'companion',
    response: fileSchema,
    errors: [absent('file')],
  }),
  'files.delete': endpoint('files.delete', {
    route: routes.deleteFile,
    summary: 'Delete a file.',
    section: 'companion',
    response: fileDeletedSchema,
    errors: [absent('file')],
  }),
  'files.content': endpoint('files.content', {
    route: routes.retrieveFileContent,
    summary: 'Read the bytes of a file.',
    section: 'companion',
    response: { type: 'binary', mediaTypes: ['application/octet-stream'], description: 'The bytes of the file.' },
    errors: [
      absent('file'),
      { status: 416, codes: ['range_not_satisfiable'], when: 'The `Range` lies outside the file.' },
    ],
  }),
};
