import type { Modelwire } from '@modelwire/client';
import { createBatch } from '../create-batch.ts';
import { heldWord } from './model-servers.ts';

const lineOf = (id: number, model: string, content: string): string =>
  `${JSON.stringify({ custom_id: `ticket-${id}`, method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content }] } })}\n`;

/** Runs a batch that succeeds, one with failed requests and one with an invalid input. */
export async function runBatches(api: Modelwire): Promise<{ readonly mixed: string }> {
  const tickets = Array.from({ length: 40 }, (_, index) => index);
  const good = await createBatch(
    api,
    tickets.map((id) => lineOf(id, 'mistral-small', `Summarize ticket ${id}`)),
    'Ticket summaries',
  );
  const mixed = await createBatch(
    api,
    tickets.map((id) => lineOf(id, id % 8 === 5 ? 'qwen2-32b' : 'qwen3-32b', `Draft a reply to ticket ${id}`)),
    'Drafts of replies',
  );
  const failed = await createBatch(api, ['{"custom_id": "ticket-0"}\n'], 'Import of the old help desk');
  for (const { id } of [good, mixed, failed]) await api.batches.wait(id);
  return { mixed: mixed.id };
}

/** Starts a batch that does not end while the pictures are made. */
export async function startBatch(api: Modelwire): Promise<void> {
  const tickets = Array.from(
    { length: 120 },
    (_, id) => `Classify ${id < 70 ? '' : `the ${heldWord} of `}ticket ${id}`,
  );
  const lines = tickets.map((content, id) => lineOf(id, 'mistral-small', content));
  await createBatch(api, lines, 'Classify tickets');
}

/** Makes a dataset of completions of the last days, runs it with other parameters, and compares the replies. */
export async function evaluate(
  api: Modelwire,
  startTime: number,
): Promise<{ readonly dataset: string; readonly comparison: string }> {
  const filter = { metadata: { team: 'catalogue' }, start_time: startTime };
  const dataset = await api.datasets.create({ format: 'evaluation', name: 'translations', filter });
  const parameters = { model: 'qwen3-32b', temperature: 0 };
  const rerun = await api.datasets.rerun({ dataset: dataset.id, parameters });
  await api.batches.wait(rerun.id);
  const comparison = await api.datasets.compare({
    name: 'qwen3-32b-for-translations',
    dataset: dataset.id,
    candidate_batch_ids: [rerun.id],
    scorers: [{ type: 'normalized' }, { type: 'regex', pattern: '.*\\d kg.*' }],
  });
  return { dataset: dataset.id, comparison: comparison.id };
}
