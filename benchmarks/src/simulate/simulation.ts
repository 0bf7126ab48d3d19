import { attemptOrder, hashText, preferredUpstream, recentPeak } from '@modelwire/adapter-kit/internal';
import { seededRandom } from '@modelwire/vitest/random';
import { createIncidents } from './incidents.ts';
import { createReplica, createServers, evaluatePrompt } from './upstreams.ts';
import type { ModelServer } from './upstreams.ts';
import { zipf } from './zipf.ts';

export interface SimulationOptions {
  readonly policy: 'affinity' | 'weighted';
  readonly upstreams: number;
  readonly conversations: number;
  readonly requests: number;
  /** Servers that route, each of which knows its own requests only. */
  readonly replicas: number;
  /** Of the bound on load of each replica. Default: 8. */
  readonly minimumInFlight?: number;
}

export interface SimulationResult {
  /** Requests whose prompt was cached, in parts of those whose conversation had an earlier request. */
  readonly hitRate: number;
  /** Requests that went to the upstream of their key. */
  readonly preferredRate: number;
  /** Requests of the upstream that got the most, in fair shares. */
  readonly largestShare: number;
  /** Most requests in flight at an upstream, in fair shares. */
  readonly largestLoad: number;
  /** Keys that a failure moves, in parts of all keys. */
  readonly movedPerFailure: number;
  /** Keys that a failure moves although they belong to other upstreams. */
  readonly movedFromOthers: number;
  /** Changes of what a replica thinks of an upstream, for each incident that it noticed: 2 without oscillation. Undefined if none was noticed. */
  readonly changesPerIncident: number | undefined;
  /** The longest time after an incident until a replica sent the keys back. */
  readonly secondsUntilBack: number | undefined;
}

/** Mean number of requests in flight at each upstream. */
const meanInFlight = 4;
const generationMs = 2000;
const promptMs = { cached: 50, evaluated: 500 };
const slowFactor = 10;
const tickMs = 10;
/** More than the longest delay. */
const maxTicks = 8192;
/** In turn, an upstream fails or becomes slow. */
const incidentEveryMs = 10_000;
const incidentMs = { failing: 30_000, slow: 60_000 };
const sampleSize = 500;

/** Routes requests of conversations that are as frequent as words of a language, on a virtual clock. */
export function simulate(options: SimulationOptions): SimulationResult {
  const { policy, upstreams, conversations, requests, replicas, minimumInFlight = 8 } = options;
  const random = seededRandom(1);
  let nowMs = 0;
  const now = (): number => nowMs;
  const servers = createServers(upstreams);
  const incidents = createIncidents(now);
  const views = Array.from({ length: replicas }, (_, replica) => ({
    upstreams: createReplica(servers, now, (server) => incidents.noticed(server, replica)),
    sharedLoad: recentPeak(now),
  }));
  const [firstView = createReplica(servers, now)] = views.map((view) => view.upstreams);
  const nextConversation = zipf(conversations, random);
  const preferred = new Map<number, ModelServer | undefined>();
  const counts = { repeated: 0, hits: 0, preferred: 0, sampled: 0, moved: 0, movedFromOthers: 0 };
  const scheduled: (() => void)[][] = Array.from({ length: maxTicks }, () => []);

  function schedule(afterMs: number, run: () => void): void {
    scheduled[Math.ceil((nowMs + afterMs) / tickMs) % maxTicks]?.push(run);
  }

  function send(conversation: number): void {
    const view = views[Math.floor(random() * replicas)];
    if (!view) return;
    const key = hashText(`conversation ${conversation}`);
    const isRepeated = preferred.has(conversation);
    if (!isRepeated) preferred.set(conversation, preferredUpstream(firstView, key)?.server);
    const routing =
      policy === 'affinity'
        ? { policy, key, bound: { minimumInFlight, sharedLoad: view.sharedLoad } }
        : { policy, key: Math.floor(random() * 2 ** 32) };
    for (const { server, breaker, firstTokens } of attemptOrder(view.upstreams, [], routing)) {
      const permit = breaker.acquire();
      if (!permit) continue;
      if (server.state === 'failing') {
        permit.failed('ECONNREFUSED');
        continue;
      }
      const isHit = evaluatePrompt(server, conversation);
      if (isRepeated) counts.repeated += 1;
      if (isRepeated && isHit) counts.hits += 1;
      if (server === preferred.get(conversation)) counts.preferred += 1;
      server.requests += 1;
      server.inFlight += 1;
      server.mostInFlight = Math.max(server.mostInFlight, server.inFlight);
      const firstTokenMs = (isHit ? promptMs.cached : promptMs.evaluated) * (server.state === 'slow' ? slowFactor : 1);
      schedule(firstTokenMs, () => firstTokens.add(key, firstTokenMs));
      schedule(firstTokenMs + generationMs, () => {
        permit.succeeded();
        server.inFlight -= 1;
      });
      return;
    }
  }

  function startIncident(state: 'failing' | 'slow'): void {
    const server = servers[Math.floor(random() * upstreams)];
    if (server?.state !== 'healthy') return;
    if (state === 'failing') countMovedKeys(server);
    server.state = state;
    incidents.begin(server);
    schedule(incidentMs[state], () => {
      server.state = 'healthy';
      incidents.end(server);
    });
  }

  function countMovedKeys(failed: ModelServer): void {
    const others = firstView.filter(({ server }) => server !== failed);
    for (let index = 0; index < sampleSize; index++) {
      const key = hashText(`conversation ${nextConversation()}`);
      const before = preferredUpstream(firstView, key)?.server;
      counts.sampled += 1;
      if (preferredUpstream(others, key)?.server === before) continue;
      counts.moved += 1;
      if (before !== failed) counts.movedFromOthers += 1;
    }
  }

  const requestsPerTick = (meanInFlight * upstreams * tickMs) / (generationMs + promptMs.cached);
  for (let tick = 0, sent = 0; sent < requests; tick++) {
    nowMs = tick * tickMs;
    for (const run of scheduled[tick % maxTicks]?.splice(0) ?? []) run();
    if (nowMs % (2 * incidentEveryMs) === incidentEveryMs) startIncident('failing');
    else if (tick > 0 && nowMs % (2 * incidentEveryMs) === 0) startIncident('slow');
    for (; sent < Math.min(requests, requestsPerTick * (tick + 1)); sent++) send(nextConversation());
  }
  return {
    hitRate: counts.hits / counts.repeated,
    preferredRate: counts.preferred / requests,
    largestShare: Math.max(...servers.map((server) => server.requests)) / (requests / upstreams),
    largestLoad: Math.max(...servers.map((server) => server.mostInFlight)) / meanInFlight,
    movedPerFailure: counts.moved / counts.sampled,
    movedFromOthers: counts.movedFromOthers / counts.sampled,
    ...incidents.summary(),
  };
}
