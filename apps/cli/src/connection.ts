import {
  createBatches,
  createChat,
  createDatasets,
  createEmbeddings,
  createFiles,
  createModels,
  createModerations,
  createOrganization,
  createResponses,
  createTransport,
  createUploads,
  createVideos,
} from '@modelwire/client';
import type { Middleware } from '@modelwire/client';
import { checkBaseURL } from './config/base-url.ts';
import type { Settings } from './config/settings.ts';
import type { Printer } from './output/printer.ts';
import { version } from './version.ts';

export interface ConnectionOptions {
  readonly timeout?: number;
  readonly retries?: number;
  readonly verbose?: true;
}

/** The clients of the configured server, over one connection. */
export type Client = ReturnType<typeof connect>;

export function connect(settings: Settings, options: ConnectionOptions, print: Printer) {
  const transport = openTransport(settings, options, print);
  return {
    batches: createBatches(transport),
    chat: createChat(transport),
    datasets: createDatasets(transport),
    embeddings: createEmbeddings(transport),
    files: createFiles(transport),
    models: createModels(transport),
    moderations: createModerations(transport),
    organization: createOrganization(transport),
    responses: createResponses(transport),
    uploads: createUploads(transport),
    videos: createVideos(transport),
  };
}

/** A connection to the configured server, or to another base URL of it. */
export function openTransport(
  { baseURL, key }: Pick<Settings, 'baseURL' | 'key'>,
  { timeout, retries, verbose }: ConnectionOptions,
  print: Printer,
) {
  return createTransport({
    baseURL: checkBaseURL(baseURL.value),
    headers: { 'user-agent': `modelwire-cli/${version}` },
    apiKey: key?.value,
    maxRetries: retries,
    ...(timeout !== undefined && { timeouts: { total: timeout * 1000 } }),
    ...(verbose && { middleware: [logRequests(print)] }),
  });
}

/** Logs each attempt on stderr, without headers and bodies, which can contain secrets. */
function logRequests(print: Printer): Middleware {
  return async (request, next) => {
    const started = performance.now();
    const log = (outcome: string): void => {
      print.note(`${request.method} ${request.url}  ${outcome}  ${Math.round(performance.now() - started)} ms`);
    };
    try {
      const response = await next(request);
      log(`${response.status} ${response.headers.get('x-request-id') ?? ''}`.trim());
      return response;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
