import { getText } from '@modelwire/engine-upstream/internal';
import type { ChatEngine } from '@modelwire/ports';
import type { DiscoveredUpstream } from './discovery.ts';
import { checkUpstream } from './request-models.ts';
import { waitAtMost } from './upstream-health.ts';
import { pollUpstreams } from './upstream-poll.ts';
import type { UpstreamPoll } from './upstream-poll.ts';
import { upstreamProblem } from './upstream-problem.ts';
import type { UpstreamStatuses } from './upstream-status.ts';

/** Checks repeatedly whether upstreams can be used whose models are configured. Waits for the first answers a second. */
export async function watchUpstreams(
  upstreams: readonly DiscoveredUpstream[],
  statuses: UpstreamStatuses,
): Promise<UpstreamPoll> {
  async function check(upstream: DiscoveredUpstream): Promise<boolean> {
    const startedAt = performance.now();
    try {
      await checkUpstream(upstream, getText);
      statuses.succeeded(upstream.name, performance.now() - startedAt);
      return true;
    } catch (error) {
      statuses.failed(upstream.name, upstreamProblem(error));
      return false;
    }
  }
  const checkAll = async (): Promise<boolean> => (await Promise.all(upstreams.map(check))).every(Boolean);
  const poll = pollUpstreams(checkAll, { intervalMs: 60_000, retryMs: 5000, freshMs: 5000 });
  await waitAtMost(1000, poll.refresh());
  return poll;
}

/** The same engine, which also calls `stop` when it is closed. */
export function closingWith(engine: ChatEngine, stop: () => void): ChatEngine {
  return {
    ...engine,
    close() {
      stop();
      return engine.close?.() ?? Promise.resolve();
    },
  };
}
