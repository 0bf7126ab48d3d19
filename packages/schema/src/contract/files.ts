import { fileDeletedSchema, fileListSchema, fileSchema } from '../files/file.ts';
import { fileCreateFieldsSchema, fileListQuerySchema } from '../files/requests.ts';
import { FILE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import { binary, endpoint, endpoints, streamedForm } from './endpoint.ts';
import * as errors from './errors.ts';

export const fileEndpoints = endpoints(
  {
    'files.create': endpoint(routes.createFile, 'Upload a file in one request.', fileSchema, {
      request: [
        streamedForm(
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
      errors: [errors.idempotencyKeyInUse],
    }),
    'files.list': endpoint(routes.listFiles, 'List files.', fileListSchema, { query: fileListQuerySchema }),
    'files.retrieve': endpoint(routes.retrieveFile, 'Retrieve the metadata of a file.', fileSchema),
    'files.delete': endpoint(routes.deleteFile, 'Delete a file.', fileDeletedSchema),
    'files.content': endpoint(
      routes.retrieveFileContent,
      'Download the content of a file.',
      binary(
        ['application/octet-stream', 'application/jsonl', 'application/json', 'text/plain', '*/*'],
        'The bytes of the file, with the media type it was uploaded with; `application/jsonl` for the output of a batch, `application/octet-stream` where none was given.',
      ),
      { errors: [errors.outOfRange] },
    ),
  },
  ['stores', 'blobs'],
);
