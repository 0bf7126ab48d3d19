import { hash } from 'node:crypto';
import { createBoundedMap } from '@modelwire/ports';
import type { ChatRequest, Pause } from '@modelwire/ports';
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
}

/**
 * Measures prompts. Caches hashes of their first 128, 256, ... tokens. Each hash covers all tokens before it, so two prompts share one only
 * if they begin alike. Kept for ten minutes after the last use, with `24h` for a day; the least recently used ones are dropped first.
 */
export function createPromptCache(counter: TokenCounter) {
  const expiries = createBoundedMap<string, number>(maxSteps);
  const running = new Map<Prompt['messages'], Promise<MeasuredPrompt>>();

  async function measure(prompt: CacheablePrompt, owner: readonly string[], pause: Pause): Promise<MeasuredPrompt> {
    const { prompt_cache_key: key = null, prompt_cache_retention: retention = 'in_memory' } = prompt;
    const ids = await counter.encode(prompt, pause);
    const tokens = ids.length + perReply;
    if (tokens < minCachedTokens) return { tokens, cached: 0 };
    const now = Date.now();
    let prefix = JSON.stringify([...owner, key]);
    let cached = 0;
    for (let end = stepTokens; end <= ids.length; end += stepTokens) {
      prefix = hash('sha256', `${prefix} ${ids.slice(end - stepTokens, end).join()}`);
      const expiry = expiries.get(prefix) ?? 0;
      if (expiry > now && cached === end - stepTokens) cached = end;
      expiries.set(prefix, Math.max(now + lifetimesMs[retention], expiry));
      await pause();
    }
    return { tokens, cached: cached < minCachedTokens ? 0 : cached };
  }
  return {
    /**
     * Measures a prompt, and caches it for its `owner`: the project and the model. The choices of a request start together and have the same
     * messages: they are measured once, so that none of them finds what another one has cached.
     */
    measure(prompt: CacheablePrompt, owner: readonly string[], pause: Pause): Promise<MeasuredPrompt> {
      const { messages } = prompt;
      const measuring = running.get(messages) ?? measure(prompt, owner, pause).finally(() => running.delete(messages));
      running.set(messages, measuring);
      return measuring;
    },
  };
}
