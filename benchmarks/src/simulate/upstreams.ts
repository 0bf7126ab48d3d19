import { createCircuitBreaker, compareFirstTokens, hashText } from '@modelwire/adapter-kit/internal';
import type { Candidate, CircuitBreaker, FirstTokenTimes } from '@modelwire/adapter-kit/internal';

/** A model server with a cache of the prompts of its latest conversations. */
export interface ModelServer {
  readonly name: string;
  state: 'healthy' | 'failing' | 'slow';
  readonly cache: Set<number>;
  requests: number;
  inFlight: number;
  mostInFlight: number;
}

/** A model server as one replica knows it. */
export interface Upstream extends Candidate {
  readonly server: ModelServer;
  readonly breaker: CircuitBreaker;
  readonly firstTokens: FirstTokenTimes;
}

/** Conversations whose prompts a server keeps. */
const cacheSize = 4000;

export function createServers(count: number): readonly ModelServer[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `upstream-${index + 1}`,
    state: 'healthy',
    cache: new Set<number>(),
    requests: 0,
    inFlight: 0,
    mostInFlight: 0,
  }));
}

/** Whether the prompt of a conversation is cached. It is afterwards, in place of the one that was used least recently. */
export function evaluatePrompt({ cache }: ModelServer, conversation: number): boolean {
  const isCached = cache.delete(conversation);
  cache.add(conversation);
  if (cache.size > cacheSize) for (const oldest of cache) if (cache.delete(oldest)) break;
  return isCached;
}

/** The servers as a replica knows them. `onChange` is called when it changes its mind about one. */
export function createReplica(
  servers: readonly ModelServer[],
  now: () => number,
  onChange: (server: ModelServer) => void = () => undefined,
): readonly Upstream[] {
  const comparison = compareFirstTokens(now);
  return servers.map((server) => {
    let isPaused = false;
    const breaker = createCircuitBreaker({
      failures: 5,
      cooldownMs: 10_000,
      now,
      onStateChange(state) {
        // A probe that fails opens the circuit again.
        if (isPaused === (state !== 'closed')) return;
        isPaused = !isPaused;
        onChange(server);
      },
    });
    const firstTokens = comparison.join(() => onChange(server));
    return {
      server,
      breaker,
      firstTokens,
      name: server.name,
      hash: hashText(server.name),
      weight: 1,
      isPaused: breaker.isPaused,
      inFlight: breaker.inFlight,
      isSlow: firstTokens.isSlow,
    };
  });
}
