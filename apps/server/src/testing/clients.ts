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
import { afterAll } from 'vitest';
import { key, startTestServer } from './test-server.ts';
import type { TestServer } from './test-server.ts';

/** One request as it was sent; each retry counts. */
export interface SentRequest {
  readonly method: string;
  /** Path after the version prefix, with the query. */
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
  /** Number of upload parts sent. */
  partsSent(): number;
}

/** A server without videos and moderation for all tests of a file, and its clients. */
export async function startWithClients(): Promise<{ readonly server: TestServer; readonly clients: Clients }> {
  const server = await startTestServer({ videos: false, moderation: false });
  afterAll(() => server.stop());
  return { server, clients: createClients(server.url) };
}

/** Creates the clients of this project on one shared transport, with short delays between retries. */
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
