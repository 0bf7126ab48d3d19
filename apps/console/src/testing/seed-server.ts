import { administer, createTeam } from './month/administration.ts';
import { evaluate, runBatches, startBatch } from './month/batches.ts';
import { startControlledServer } from './month/controlled-server.ts';
import type { TimedEvent } from './month/timed-event.ts';
import { createRandom } from './month/random.ts';
import { sendRequests } from './month/requests.ts';
import { planRequests } from './month/traffic.ts';
import { renderVideos } from './month/videos.ts';

const seed = 20_261_127;
const requestCount = 2500;
const dayMs = 86_400_000;

/** Starts a server with a month of a small shop. It did what it shows: its clocks are set forward from one event to the next. */
export async function seedServer() {
  const month = await startControlledServer(30 * dayMs);
  const { models, goTo } = month;
  const team = await createTeam(month.server);
  const { ana } = team;
  const nowMs = Date.now();
  const made = { completion: '', batch: '', dataset: '', comparison: '', video: '' };
  const timedEvents: readonly TimedEvent[] = [
    ...administer(team, nowMs),
    ...sendRequests(
      planRequests(createRandom(seed), nowMs, requestCount),
      team,
      models,
      (id) => (made.completion = id),
    ),
    { agoMs: 5.4 * dayMs, run: async () => (made.video = await renderVideos(ana)) },
    { agoMs: 1.9 * dayMs, run: async () => (made.batch = (await runBatches(ana)).mixed) },
    {
      agoMs: 0.9 * dayMs,
      run: async () => Object.assign(made, await evaluate(ana, Math.floor((nowMs - 3 * dayMs) / 1000))),
    },
    { agoMs: 1_200_000, run: month.stopModelServer },
  ];
  for (const { agoMs, run } of timedEvents.toSorted((a, b) => b.agoMs - a.agoMs)) {
    await goTo(agoMs);
    await run();
  }
  await goTo(0);
  await startBatch(ana);
  const paths = {
    home: 'home?period=30d',
    playground: 'playground',
    completions: 'completions',
    completion: `completions/${made.completion}`,
    datasets: 'datasets',
    dataset: `datasets/${made.dataset}`,
    comparisons: 'comparisons',
    comparison: `comparisons/${made.comparison}`,
    batches: 'batches',
    batch: `batches/${made.batch}`,
    files: 'files',
    videos: 'videos',
    video: `videos/${made.video}`,
    moderation: 'moderation',
    usage: 'usage',
    keys: `keys?project=${team.idOf('Shop')}`,
    budgets: 'budgets',
    audit: 'audit',
    webhooks: 'webhooks',
    models: 'models',
  };
  return { ...month, url: month.server.url, key: team.key, paths };
}
