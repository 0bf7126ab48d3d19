import { hash } from 'node:crypto';
import type { ChatRequest, Pause } from '@modelwire/ports';
import type { PromptCacheRetention } from '@modelwire/schema/types';
import { segmentsOf } from './segments.ts';
import type { Prompt } from './segments.ts';
import type { TokenCounter } from './token-counter.ts';

/** Prompts are cached from this length on, and in steps of so many tokens, as the hosted service does. */
const minCachedTokens = 1024;
const stepTokens = 128;
/** Steps in the cache: 16 million tokens. */
const maxSteps = 131_072;
const lifetimesMs: Readonly<Record<PromptCacheRetention, number>> = { in_memory: 600_000, '24h': 86_400_000 };

/** Prompts are shared within one project, model and `prompt_cache_key`. */
export interface CacheScope {
  readonly project: string;
  readonly model: string;
}

export type CacheablePrompt = Prompt & Pick<ChatRequest, 'prompt_cache_key' | 'prompt_cache_retention'>;

/**
 * Caches hashes of the first 128, 256, ... tokens. Each hash covers all tokens before it, so two prompts share one only if they begin
 * alike. Kept for ten minutes after the last use, with `24h` for a day; the least recently used ones are dropped first.
 */
export function createPromptCache(counter: TokenCounter) {
  const expiries = new Map<number, number>();
  return {
    /** The number of tokens of the longest cached prefix of this prompt, which has `tokens` tokens. Caches this prompt. */
    async reuse(
      prompt: CacheablePrompt,
      { project, model }: CacheScope,
      tokens: number,
      pause: Pause,
    ): Promise<number> {
      if (tokens < minCachedTokens) return 0;
      const { prompt_cache_key: key = null, prompt_cache_retention: retention = 'in_memory' } = prompt;
      let [a, b] = twoHashes(JSON.stringify([project, model, key]));
      let [count, cached] = [0, 0];
      const now = Date.now();
      const add = (token: number): void => {
        a = Math.imul(a ^ token, 0x01000193);
        b = Math.imul(b ^ token ^ (b >>> 15), 0x85ebca6b);
        if (++count % stepTokens > 0) return;
        const step = (a >>> 0) * 2 ** 21 + ((b ^ (b >>> 13)) >>> 11);
        const expiry = expiries.get(step) ?? 0;
        if (expiry > now && cached === count - stepTokens) cached = count;
        expiries.delete(step);
        expiries.set(step, Math.max(now + lifetimesMs[retention], expiry));
      };
      for (const { text, extraTokens, kind } of segmentsOf(prompt)) {
        const [mark] = twoHashes(kind);
        for (let i = 0; i < extraTokens; i++) add(mark);
        for (const id of await counter.encode(text, pause)) add(id);
      }
      for (const oldest of expiries.keys()) {
        if (expiries.size <= maxSteps) break;
        expiries.delete(oldest);
      }
      return cached < minCachedTokens ? 0 : cached;
    },
  };
}

function twoHashes(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
