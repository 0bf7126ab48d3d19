import { hash } from 'node:crypto';
import { createBoundedMap } from '@modelwire/adapter-kit';
import type { Pause } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import type { PromptCacheRetention } from '@modelwire/schema/types';
import type { Prompt } from './segments.ts';
import { perReply } from './token-counter.ts';
import type { TokenCounter } from './token-counter.ts';

/** Prompts are cached from this length on, and in steps of so many tokens, as the hosted service does. */
const minCachedTokens = 1024;
const stepTokens = 128;
/** Steps in the cache: 16 million tokens. */
const maxSteps = 131_072;
const lifetimesMs: Readonly<Record<PromptCacheRetention, number>> = { in_memory: 600_000, '24h': 86_400_000 };

export type CacheablePrompt = Prompt & Pick<ChatRequest, 'prompt_cache_key' | 'prompt_cache_retention'>;

/** The tokens of a prompt, and how many of them at its beginning were cached. */
export interface MeasuredPrompt {
  readonly tokens: number;
  readonly cached: number;
  /** How many were added to the cache. */
  readonly written: number;
}

/** A measurement that is not finished. */
interface Measurement {
  readonly prompt: CacheablePrompt;
  readonly owner: readonly string[];
  readonly result: Promise<MeasuredPrompt>;
}

/**
 * Measures prompts. Caches hashes of their first 128, 256, ... tokens. Each hash covers all tokens before it, so two prompts share one only
 * if they begin alike. Kept for ten minutes after the last use, with `24h` for a day; the least recently used ones are evicted first.
 */
export function createPromptCache(counter: TokenCounter) {
  const expiries = createBoundedMap<string, number>(maxSteps);
  const running = new Set<Measurement>();

  async function measure(prompt: CacheablePrompt, owner: readonly string[], pause: Pause): Promise<MeasuredPrompt> {
    const { prompt_cache_key: key = null, prompt_cache_retention: retention = 'in_memory' } = prompt;
    const now = performance.now();
    let [cached, saved] = [0, 0];
    /** Prefixes of a prompt that may be too short to be cached. */
    let unsaved: string[] = [];
    function save(prefix: string, end: number): void {
      const expiry = expiries.get(prefix) ?? 0;
      if (expiry > now && cached === end - stepTokens) cached = end;
      saved = end;
      expiries.set(prefix, Math.max(now + lifetimesMs[retention], expiry));
    }
    const steps = createSteps(JSON.stringify([...owner, key]));
    let tokens = perReply;
    await counter.encode(prompt, pause, (ids) => {
      tokens += ids.length;
      unsaved.push(...steps.add(ids));
      if (tokens < minCachedTokens) return;
      const first = steps.count - unsaved.length + 1;
      unsaved.forEach((prefix, index) => save(prefix, (first + index) * stepTokens));
      unsaved = [];
    });
    const found = cached < minCachedTokens ? 0 : cached;
    return { tokens, cached: found, written: Math.max(0, saved - found) };
  }
  return {
    /**
     * Measures a prompt, and caches it for its `owner`: the project and the model. While it is being measured, other measurements of the same
     * objects for the same owner, as for the choices of a request, wait for that one: they do not find what it is caching.
     */
    async measure(prompt: CacheablePrompt, owner: readonly string[], pause: Pause): Promise<MeasuredPrompt> {
      const findSame = () => [...running].find((other) => isSame(prompt, other.prompt) && isEqual(owner, other.owner));
      for (let same = findSame(); same; same = findSame()) {
        const measured = await same.result.catch(() => undefined);
        if (measured) return measured;
        // The other one was aborted, perhaps together with this one.
        await pause();
      }
      const result = measure(prompt, owner, pause).finally(() => running.delete(measurement));
      const measurement = { prompt, owner, result };
      running.add(measurement);
      return result;
    },
  };
}

/** Hashes tokens in steps of 128. The hash of a step covers those before it. */
function createSteps(seed: string) {
  const digestBytes = 32;
  // The hash of the step before, and the tokens of this one.
  const block = Buffer.alloc(digestBytes + 4 * stepTokens);
  hash('sha256', seed, 'buffer').copy(block);
  let [count, filled] = [0, 0];
  return {
    /** The number of complete steps. */
    get count(): number {
      return count;
    },
    /** Returns the hashes of the steps that these tokens complete. */
    add(ids: ArrayLike<number>): readonly string[] {
      const hashes: string[] = [];
      for (let index = 0; index < ids.length; index++) {
        block.writeInt32LE(ids[index] ?? 0, digestBytes + 4 * filled);
        filled += 1;
        if (filled < stepTokens) continue;
        filled = 0;
        count += 1;
        const digest = hash('sha256', block, 'buffer');
        digest.copy(block);
        hashes.push(digest.toString('latin1'));
      }
      return hashes;
    },
  };
}

/** Whether two prompts are made of the same objects: comparing the texts of long ones would take as long as measuring them. */
function isSame(one: CacheablePrompt, other: CacheablePrompt): boolean {
  return (
    one.messages === other.messages &&
    one.tools === other.tools &&
    one.response_format === other.response_format &&
    one.prompt_cache_key === other.prompt_cache_key &&
    one.prompt_cache_retention === other.prompt_cache_retention
  );
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
