import { hash } from 'node:crypto';
import type { PromptCacheRetention } from '@modelwire/schema/types';
import type { Yield } from '../sampling/pace.ts';
import { segmentsOf } from './segments.ts';
import type { Prompt } from './segments.ts';
import type { TokenCounter } from './token-counter.ts';

/** Prompts are cached from this length on, and in steps of so many tokens, as the hosted service does. */
export const minCachedTokens = 1024;
const stepTokens = 128;
/** Steps in one generation of the cache: 8 million tokens. */
const maxSteps = 65_536;
const lifetimesMs: Readonly<Record<PromptCacheRetention, number>> = { in_memory: 600_000, '24h': 86_400_000 };

/** Prompts are shared within one project, model and `prompt_cache_key`. */
export interface CacheScope {
  readonly project: string;
  readonly model: string;
  readonly key: string | undefined;
}

export interface PromptCache {
  /** The number of tokens of the longest cached prefix of this prompt. Caches this prompt. */
  reuse(prompt: Prompt, scope: CacheScope, retention: PromptCacheRetention | undefined, pause: Yield): Promise<number>;
}

/**
 * Caches hashes of the first 128, 256, ... tokens. Each hash covers all tokens before it, so two prompts share one only if they begin
 * alike. Kept for ten minutes after the last use, with `24h` for a day, in two generations of a bounded size.
 */
export function createPromptCache(counter: TokenCounter): PromptCache {
  let recent = new Map<number, number>();
  let older = new Map<number, number>();
  return {
    async reuse(prompt, { project, model, key }, retention, pause) {
      const steps: number[] = [];
      let [a, b] = twoHashes(JSON.stringify([project, model, key ?? null]));
      let count = 0;
      const add = (token: number): void => {
        a = Math.imul(a ^ token, 0x01000193);
        b = Math.imul(b ^ token ^ (b >>> 15), 0x85ebca6b);
        if (++count % stepTokens === 0) steps.push((a >>> 0) * 2 ** 21 + ((b ^ (b >>> 13)) >>> 11));
      };
      for (const { text, extraTokens, kind } of segmentsOf(prompt)) {
        const [mark] = twoHashes(kind);
        for (let i = 0; i < extraTokens; i++) add(mark);
        for (const id of await counter.encode(text, pause)) add(id);
      }
      const now = Date.now();
      const expiryOf = (step: number): number => Math.max(recent.get(step) ?? 0, older.get(step) ?? 0);
      const firstUnknown = steps.findIndex((step) => expiryOf(step) <= now);
      const cached = (firstUnknown === -1 ? steps.length : firstUnknown) * stepTokens;
      for (const step of steps) {
        const expiry = Math.max(now + lifetimesMs[retention ?? 'in_memory'], expiryOf(step));
        if (recent.size >= maxSteps) [older, recent] = [recent, new Map<number, number>()];
        recent.set(step, expiry);
      }
      return cached < minCachedTokens ? 0 : cached;
    },
  };
}

function twoHashes(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
