import { waitFor } from '@modelwire/core';
import type { Transport, WaitOptions } from '@modelwire/core';
import { createFiles } from '@modelwire/files';
import type { FilesClient } from '@modelwire/files';
import type { FileObject } from '@modelwire/schema/types';

export interface Files extends FilesClient {
  /**
   * Polls until the file is `processed` or in `error`, and resolves with it. At a Modelwire server, a file is ready when `create`
   * resolves; at other servers it can take longer.
   */
  waitForProcessing(fileId: string, options?: WaitOptions<FileObject>): Promise<FileObject>;
}

export function createFilesResource(transport: Transport): Files {
  const files = createFiles(transport);
  return {
    ...files,
    waitForProcessing: (fileId, options = {}) =>
      waitFor(
        (timeouts) => files.retrieve(fileId, { ...options, timeouts }),
        ({ status }) => status === undefined || status === 'processed' || status === 'error',
        options,
      ),
  };
}
