import { createClient } from './client.ts';
import type { Target } from './client.ts';

export interface Latency {
  /** Median of a request in milliseconds. */
  readonly medianMs: number;
  /** Median of what a request takes longer than the one that was sent directly in the same round, in milliseconds. */
  readonly addedMs: number;
}

const body = { model: 'smol', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, temperature: 0 };
const warmUpRounds = 3;

/**
 * Sends the same short request to all targets in turn, in another order each round, so that the load of the machine affects all alike.
 * The first target is the upstream itself.
 */
export async function measureLatency(targets: readonly Target[], rounds: number): Promise<readonly Latency[]> {
  const clients = targets.map(createClient);
  const times = targets.map((): number[] => []);
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (let turn = 0; turn < clients.length; turn++) {
      const index = (turn + round + clients.length * warmUpRounds) % clients.length;
      const startedAt = performance.now();
      const reply = await clients[index]?.post('/chat/completions', body);
      const ms = performance.now() - startedAt;
      if (reply?.status !== 200) throw new Error(`${targets[index]?.name ?? ''} answered with ${reply?.status ?? 0}.`);
      if (round >= 0) times[index]?.push(ms);
    }
  }
  const [direct = []] = times;
  return times.map((own) => ({
    medianMs: median(own),
    addedMs: median(own.map((ms, round) => ms - (direct[round] ?? 0))),
  }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
