import type { Batch, BatchEndpoint } from '@modelwire/client';
import type { App } from '../app.ts';
import { waitForBatch } from '../batch/wait.ts';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { WaitFlags } from '../wait-for.ts';

/** Sends one request as the line of a batch, so that it survives a restart of the server. Returns the body of its response. */
export async function runRequest<Body>(
  app: App,
  endpoint: '/v1/datasets' | '/v1/datasets/compare',
  body: object,
  flags: WaitFlags,
): Promise<Body> {
  const { batches, files } = await app.client();
  const line = JSON.stringify({ custom_id: 'request', method: 'POST', url: endpoint, body });
  const { id } = await files.create({ file: new Blob([line]), filename: 'request.jsonl', purpose: 'batch' }, app);
  const batch = await runFile(app, id, endpoint, flags);
  for await (const result of batches.results(batch, app)) {
    if (!result.ok) throw new CliError(EXIT.unsuccessful, result.error.message);
    return result.body as Body;
  }
  throw new CliError(EXIT.unsuccessful, `The batch ${batch.id} is ${batch.status}.`);
}

/** Runs files of requests of chat completions as batches. Returns their IDs when they have ended. */
export async function runFiles(app: App, ids: readonly string[], flags: WaitFlags): Promise<readonly string[]> {
  const batches: string[] = [];
  for (const id of ids) batches.push((await runFile(app, id, '/v1/chat/completions', flags)).id);
  return batches;
}

async function runFile(app: App, input_file_id: string, endpoint: BatchEndpoint, flags: WaitFlags): Promise<Batch> {
  const { batches } = await app.client();
  const { id } = await batches.create({ input_file_id, endpoint, completion_window: '24h' }, app);
  app.print.note(`Created ${id}.`);
  return waitForBatch(app, id, flags);
}
