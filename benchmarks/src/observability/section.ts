import { openArena } from '../http/arena.ts';
import type { Arena, Entry } from '../http/arena.ts';
import { contestants } from '../http/contestants.ts';
import type { LoadAnswer } from '../http/load.ts';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';

/** Servers, each with the one that it is compared with. */
const comparisons = [
  { name: 'embedded', baseline: 'unmeasured' },
  { name: 'logging', baseline: 'unmeasured' },
  { name: 'tracing', baseline: 'embedded' },
] as const;
const modes = ['create', 'stream'] as const;
const connections = 16;

/** Microseconds of processor time of each request, one value per pair. */
interface Pairs {
  readonly with: number[];
  readonly without: number[];
}

/**
 * The processor time of metrics, logs and traces. Each server is measured in pairs with one that lacks them, right after each other and in
 * alternating order, so that other work on the machine affects both alike.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const names = new Set<string>(comparisons.flatMap(({ name, baseline }) => [name, baseline]));
  const arena = await openArena(contestants.filter(({ name }) => names.has(name)));
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  const length = quick ? { pairs: 3, ms: 500, compileMs: 1000 } : { pairs: 15, ms: 1500, compileMs: 4000 };
  try {
    for (const entry of arena.entries) await cpuOf(arena, load, entry, length.compileMs);
    const rows: string[][] = [];
    for (const { name, baseline } of comparisons) {
      const cells: string[] = [];
      const title = titleOf(name);
      for (const mode of modes) {
        const find = (wanted: string): Entry => {
          const found = arena.entries.find(({ contestant, mode: of }) => contestant.name === wanted && of === mode);
          if (!found) throw new Error(`${wanted} does not run`);
          return found;
        };
        const [entry, without] = [find(name), find(baseline)];
        const pairs: Pairs = { with: [], without: [] };
        for (let pair = 0; pair < length.pairs; pair++) {
          const measureWith = async () => void pairs.with.push(await cpuOf(arena, load, entry, length.ms));
          const measureWithout = async () => void pairs.without.push(await cpuOf(arena, load, without, length.ms));
          for (const measure of pair % 2 === 0 ? [measureWith, measureWithout] : [measureWithout, measureWith]) {
            await measure();
          }
        }
        const ratio = medianRatio(pairs.with, pairs.without).toFixed(3);
        say(`${name} ${mode}: ${ratio} of ${short(median(pairs.without))} µs`);
        cells.push(`${ratio} of ${short(median(pairs.without))} µs`);
      }
      rows.push([title, titleOf(baseline), ...cells]);
    }
    return table(['server', 'compared with', 'whole', 'streamed, 100 chunks'], rows);
  } finally {
    await load.stop();
    await arena.close();
  }
}

async function cpuOf(arena: Arena, load: Child, { contestant, request }: Entry, ms: number): Promise<number> {
  const before = await arena.used(contestant.server);
  const { answered } = await load.ask<LoadAnswer>({ ...request, connections, warmUpMs: 0, ms });
  const after = await arena.used(contestant.server);
  return (after.cpu - before.cpu) / answered;
}

function titleOf(wanted: string): string {
  return contestants.find(({ name }) => name === wanted)?.title ?? wanted;
}
