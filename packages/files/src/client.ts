import { createTransport, download, encodeForm, toFormFile, listPages, uploadTimeouts } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions, DownloadOptions, Paged, Uploadable } from '@modelwire/core';
import { createFile, deleteFile, listFiles, retrieveFile, retrieveFileContent } from '@modelwire/schema/routes';
import type {
  FileCreateFields,
  FileDeleted,
  FileListParams,
  FileObject,
  FileObjectList,
} from '@modelwire/schema/types';

/** Options of a transport, or a transport that is shared with other clients. */
export type FilesOptions = ClientOptions;

/** The form of Create file. */
export interface FileCreateInput extends FileCreateFields {
  /**
   * The bytes: a `Blob` or `File`, also one on disk (`fs.openAsBlob`), a stream, or a `Response`. They are read while they are sent.
   * A call with a stream or a `Response` is not retried.
   */
  readonly file: Uploadable;
  /** Default: the name of the `File`, or of the file that the stream reads, else `blob`. */
  readonly filename?: string | undefined;
}

/** Every method rejects only with a `ModelwireError`. */
export interface FilesClient {
  /**
   * Stores a file of at most 512 MB; for larger ones, use uploads. The default timeout is 10 minutes, plus the time that the bytes
   * take at 100 kB/s.
   */
  create(params: FileCreateInput, options?: CallOptions): ApiPromise<FileObject>;
  /** Lists files, by default newest first: `await` one page, or iterate all files with `for await`. */
  list(params?: FileListParams, options?: CallOptions): Paged<FileObjectList>;
  /** Retrieves the metadata of a file. */
  retrieve(fileId: string, options?: CallOptions): ApiPromise<FileObject>;
  /** Deletes a file. */
  delete(fileId: string, options?: CallOptions): ApiPromise<FileDeleted>;
  /**
   * Downloads a file as a `Response`: `body`, `text()`, `blob()`, `bytes()`. The body is read on demand, and resumes when the
   * connection fails.
   */
  content(fileId: string, options?: DownloadOptions): ApiPromise<Response>;
}

/** The largest file. Determines the timeouts of a stream, whose size is unknown. */
const FILE_MAX_BYTES = 512 * 1024 ** 2;

/** Creates a client for files. Throws an `InputError` for an invalid base URL. */
export function createFiles(options: FilesOptions = {}): FilesClient {
  const transport = createTransport(options);
  return {
    create: ({ file, filename, expires_after, ...fields }, options) =>
      transport.request(createFile, {
        ...options,
        body: encodeForm({
          ...fields,
          expires_after: expires_after && { ...expires_after },
          file: toFormFile(file, filename),
        }),
        defaultTimeouts: uploadTimeouts('size' in file ? file.size : FILE_MAX_BYTES),
      }),
    list: (query, options) => listPages<FileObjectList>(transport, listFiles, query, options),
    retrieve: (file_id, options) => transport.request(retrieveFile, { ...options, params: { file_id } }),
    delete: (file_id, options) => transport.request(deleteFile, { ...options, params: { file_id } }),
    content: (file_id, options) => download(transport, retrieveFileContent, { ...options, params: { file_id } }),
  };
}
