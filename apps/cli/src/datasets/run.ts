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
  const input = await files.create({ file: new Blob([line]), filename: 'request.jsonl', purpose: 'batch' }, app);
  const params = { input_file_id: input.id, endpoint, completion_window: '24h' } as const;
  const { id } = await batches.create(params, app);
  return resultOf<Body>(app, id, flags);
}

/** Waits for a batch of one request. Returns the body of its response. */
export async function resultOf<Body>(app: App, id: string, flags: WaitFlags): Promise<Body> {
  app.print.note(`Created ${id}.`);
  const { batches } = await app.client();
  const batch = await waitForBatch(app, id, flags);
  for await (const result of batches.results(batch, app)) {
    if (!result.ok) throw new CliError(EXIT.unsuccessful, result.error.message);
    return result.body as Body;
  }
  throw new CliError(EXIT.unsuccessful, `The batch ${batch.id} is ${batch.status}.`);
}
