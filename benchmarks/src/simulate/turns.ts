import { attemptOrder, hashText, recentPeak } from '@modelwire/adapter-kit/internal';
import { seededRandom } from '@modelwire/vitest/random';
import { createVirtualTime } from './events.ts';
import { createReplica, createServers, evaluatePrompt } from './upstreams.ts';

export interface TurnsOptions {
  readonly upstreams: number;
  readonly users: number;
  readonly turns: number;
  /** Of the bound on load. */
  readonly minimumInFlight: number;
  /** Runs, each with other conversations. */
  readonly runs: number;
}

export interface TurnsResult {
  /** Turns at the upstream of the turn before, in parts of those that had one. */
  readonly stayRate: number;
  /** Runs in which each turn stayed, in parts of all. */
  readonly runsThatStay: number;
}

const promptMs = { cached: 50, evaluated: 500 };
const generationMs = 2000;

/** Users who have a conversation each, one turn after the other, all at the same time. */
export function simulateTurns({ upstreams, users, turns, minimumInFlight, runs }: TurnsOptions): TurnsResult {
  const random = seededRandom(1);
  let stays = 0;
  let runsThatStay = 0;
  for (let run = 0; run < runs; run++) {
    const staysBefore = stays;
    const time = createVirtualTime();
    const candidates = createReplica(createServers(upstreams), time.monotonic);
    const bound = { minimumInFlight, sharedLoad: recentPeak(time.monotonic) };
    let ended = 0;

    function send(user: number, turn: number, before: string | undefined): void {
      const routing = { policy: 'affinity', key: hashText(`${run} ${user}`), bound } as const;
      const [chosen] = attemptOrder(candidates, [], routing);
      const permit = chosen?.breaker.acquire();
      if (!chosen || !permit) throw new Error('no upstream');
      if (chosen.name === before) stays++;
      const prompt = evaluatePrompt(chosen.server, user) ? promptMs.cached : promptMs.evaluated;
      time.after(prompt + generationMs * (0.5 + random()), () => {
        permit.succeeded();
        if (turn < turns) send(user, turn + 1, chosen.name);
        else ended++;
      });
    }
    for (let user = 0; user < users; user++) send(user, 1, undefined);
    time.runUntil(() => ended === users);
    if (stays - staysBefore === users * (turns - 1)) runsThatStay++;
  }
  return { stayRate: stays / (runs * users * (turns - 1)), runsThatStay: runsThatStay / runs };
}
