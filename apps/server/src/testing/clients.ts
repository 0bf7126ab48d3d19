import { createBatches } from '@modelwire/batches';
import type { BatchesClient } from '@modelwire/batches';
import { createTransport, createFiles } from '@modelwire/files';
import type { FilesClient, TransportOptions } from '@modelwire/files';
import { createModels } from '@modelwire/models';
import type { ModelsClient } from '@modelwire/models';
import { createModerations } from '@modelwire/moderations';
import type { ModerationsClient } from '@modelwire/moderations';
import { createUploads } from '@modelwire/uploads';
import type { UploadsClient } from '@modelwire/uploads';
import { createVideos } from '@modelwire/videos';
import type { VideosClient } from '@modelwire/videos';
import { key } from './test-server.ts';

/** One request as it went out: every attempt is one. */
export interface SentRequest {
  readonly method: string;
  /** From the version prefix on, with its query. */
  readonly path: string;
  readonly range: string | null;
}

export interface Clients {
  readonly files: FilesClient;
  readonly uploads: UploadsClient;
  readonly batches: BatchesClient;
  readonly moderations: ModerationsClient;
  readonly videos: VideosClient;
  readonly models: ModelsClient;
  readonly sent: SentRequest[];
  /** How many parts of uploads were sent. */
  partsSent(): number;
}

/** Our own clients over one transport, as a user would share it. Waits between attempts are short. */
export function createClients(url: string, options: TransportOptions = {}): Clients {
  const sent: SentRequest[] = [];
  const baseURL = `${url}/v1`;
  const transport = createTransport({
    apiKey: key,
    baseURL,
    backoff: () => 5,
    middleware: [
      (request, next) => {
        const { method, url: to, headers } = request;
        sent.push({ method, path: to.slice(baseURL.length), range: headers.get('range') });
        return next(request);
      },
    ],
    ...options,
  });
  return {
    files: createFiles(transport),
    uploads: createUploads(transport),
    batches: createBatches(transport),
    moderations: createModerations(transport),
    videos: createVideos(transport),
    models: createModels(transport),
    sent,
    partsSent: () => sent.filter(({ path }) => path.endsWith('/parts')).length,
  };
}
