import type { PromptCacheRetention } from '@modelwire/schema/types';
import { mediaOf } from './media.ts';
import { callsOf, itemsOf, messageText, nameOf, perItem, perMessage, perName } from './prompt-tokens.ts';
import type { Breathe, Prompt } from './prompt-tokens.ts';
import { hash } from './random.ts';
import { rememberedTokens } from './remembered-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Prompts are remembered from this length on, and in steps of so many tokens (as the hosted service has it). */
export const shortestCached = 1024;
export const cacheStep = 128;
/** Steps in one generation of the memory: 8 million tokens. */
const mostSteps = 65_536;
const lifetimes: Readonly<Record<PromptCacheRetention, number>> = { in_memory: 600_000, '24h': 86_400_000 };
/** What the tokens of texts may take. */
const memoryBytes = 16 * 1024 * 1024;

/** Whose prompts may be reused for each other: those of one project, model and `prompt_cache_key`. */
export interface CacheScope {
  readonly project: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** The beginnings of prompts met before. */
export interface PromptCache {
  /** How many tokens at the beginning of a prompt were there in an earlier one; this one is remembered then. */
  reuse(prompt: Prompt, scope: CacheScope, retention: PromptCacheRetention, breathe: Breathe): Promise<number>;
}

/**
 * Remembers prompts as hashes of their first 128, 256, ... tokens, each hash made of all tokens before it: two prompts share one only where
 * they begin alike. Kept for ten minutes after the last use, with `24h` for a day, in two generations of a bounded number.
 */
export function promptCache(tokenizer: Tokenizer): PromptCache {
  const tokensOf = rememberedTokens(tokenizer, memoryBytes);
  let young = new Map<number, number>();
  let old = new Map<number, number>();

  const keep = (step: number, until: number): void => {
    if (young.size >= mostSteps) {
      old = young;
      young = new Map();
    }
    young.set(step, Math.max(until, young.get(step) ?? 0));
  };
  return {
    async reuse(prompt, { project, model, key }, retention, breathe) {
      const steps = chain(JSON.stringify([project, model, key ?? null]));
      const add = async (text: string, around: number, kind: string): Promise<void> => {
        const mark = hash(kind, 0x2545f491);
        for (let i = 0; i < around; i++) steps.add(mark);
        for (const id of text === '' ? [] : await tokensOf(text, breathe)) steps.add(id);
      };
      for (const item of itemsOf(prompt)) await add(item, perItem, 'item');
      for (const message of prompt.messages) {
        await add(messageText(message), perMessage, message.role);
        for (const { kind, tokens, data } of mediaOf(message)) await add('', tokens, `${kind} ${data}`);
        const name = nameOf(message);
        if (name !== undefined) await add(name, perName, 'name');
        for (const call of callsOf(message)) await add(call, perItem, 'call');
      }
      const now = Date.now();
      const known = steps.all.findIndex((step) => (young.get(step) ?? old.get(step) ?? 0) <= now);
      const cached = (known === -1 ? steps.all.length : known) * cacheStep;
      for (const step of steps.all) keep(step, Math.max(now + lifetimes[retention], old.get(step) ?? 0));
      return cached < shortestCached ? 0 : cached;
    },
  };
}

/** Hashes of the first 128, 256, ... of the tokens that are added. */
function chain(scope: string): { readonly all: number[]; add(token: number): void } {
  let [a, b] = [hash(scope, 0x811c9dc5), hash(scope, 0x1b873593)];
  let count = 0;
  const all: number[] = [];
  return {
    all,
    add(token) {
      a = Math.imul(a ^ token, 0x01000193);
      b = Math.imul(b ^ token ^ (b >>> 15), 0x85ebca6b);
      if (++count % cacheStep === 0) all.push((a >>> 0) * 2 ** 21 + ((b ^ (b >>> 13)) >>> 11));
    },
  };
}
