import { Modelwire } from '@modelwire/client';
import { createBatch } from './create-batch.ts';
import { startServer } from './server-process.ts';

/** Starts a server with the data of a small team. */
export async function seedServer() {
  const server = await startServer({
    prices: { currency: 'usd', models: { simulator: { input: 0.4, cachedInput: 0.1, output: 1.6 } } },
    simulator: { firstTokenDelayMs: 20 },
  });
  const api = new Modelwire({ baseURL: `${server.url}/v1`, apiKey: server.key });
  const { projects, budgets, webhooks } = api.organization;
  const support = await projects.create({ name: 'Support assistant', requests_per_minute: 600 });
  const search = await projects.create({ name: 'Search' });
  for (const name of ['production', 'staging', 'evaluation']) await projects.apiKeys.create(support.id, { name });
  await projects.apiKeys.create(search.id, { name: 'ranking', role: 'inference_only' });
  await budgets.create({ project_id: support.id, unit: 'cost', period: 'month', soft_limit: 80e6, hard_limit: 100e6 });
  await budgets.create({ project_id: 'default', unit: 'tokens', period: 'day', soft_limit: 400, hard_limit: 20_000 });
  await webhooks.create({ url: 'https://hooks.example.com/modelwire', name: 'Alerts' });
  const questions = [
    'How do I change the delivery address of an order?',
    'Summarize this review: the grinder is quiet, but the hopper is small.',
    'Translate into German: Your parcel arrives tomorrow.',
    'Which plan includes single sign-on?',
    'Write a SQL query that lists customers without an order in 2026.',
  ];
  const ids: string[] = [];
  for (const [index, content] of [...questions, ...questions].entries()) {
    const { id } = await api.chat.completions.create({
      model: 'simulator',
      store: true,
      metadata: { team: index % 2 === 0 ? 'support' : 'search', release: '2026.11' },
      messages: [
        { role: 'system', content: 'Answer in one paragraph.' },
        { role: 'user', content },
      ],
    });
    ids.push(id);
  }
  await api.chat.completions.create({ model: 'none', messages: [{ role: 'user', content: 'Hello' }] }).catch(() => {});
  const line = (id: string, model: string): string =>
    `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content: 'Hello' }] } })}\n`;
  const good = await createBatch(api, [line('a', 'simulator'), line('b', 'simulator')]);
  const mixed = await createBatch(api, [line('a', 'simulator'), line('b', 'none')]);
  const failed = await createBatch(api, ['{}\n']);
  for (const { id } of [good, mixed, failed]) await api.batches.wait(id);
  const dataset = await api.datasets.create({ format: 'evaluation', name: 'questions' });
  const requests = await api.datasets.create({
    format: 'batch',
    name: 'questions',
    deduplicate: false,
    dataset: dataset.id,
    parameters: { temperature: 0, seed: 7 },
  });
  const rerun = await api.batches.create({
    input_file_id: requests.files[0]?.file_id ?? '',
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { name: 'questions at temperature 0', dataset_id: dataset.id },
  });
  await api.batches.wait(rerun.id);
  const comparison = await api.datasets.compare({
    name: 'temperature-0',
    dataset: dataset.id,
    candidate_batch_ids: [rerun.id],
    scorers: [{ type: 'normalized' }, { type: 'regex', pattern: '(.|\\n)*[.!?]' }],
  });
  const video = await api.videos.create({ prompt: 'A river in the morning', size: '720x1280' });
  await api.videos.wait(video.id);
  const paths = {
    home: 'home?period=1h',
    playground: 'playground',
    completions: 'completions',
    completion: `completions/${ids[0] ?? ''}`,
    datasets: 'datasets',
    dataset: `datasets/${dataset.id}`,
    comparisons: 'comparisons',
    comparison: `comparisons/${comparison.id}`,
    batches: 'batches',
    batch: `batches/${mixed.id}`,
    files: 'files',
    videos: 'videos',
    video: `videos/${video.id}`,
    moderation: 'moderation',
    usage: 'usage',
    keys: `keys?project=${support.id}`,
    budgets: 'budgets',
    audit: 'audit',
    webhooks: 'webhooks',
    models: 'models',
  };
  return { ...server, paths };
}
