import { hash } from 'node:crypto';
import { createGrammarCache } from '@modelwire/grammar';
import { createPause } from '@modelwire/adapter-kit';
import { chatRequestDefaults } from '@modelwire/ports';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { ResolvedOptions } from '../options.ts';
import { planReply } from '../plan.ts';
import { createPromptCache } from '../prompt/prompt-cache.ts';
import { createTokenCounter } from '../prompt/token-counter.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import { createFixedReply } from './fixed-reply.ts';

/** Changes when the reply to the same request with the same seed may change. */
const engineVersion = '6';

/** What all generations share. */
export type Runtime = Awaited<ReturnType<typeof createRuntime>>;

export async function createRuntime(options: ResolvedOptions) {
  const tokenizer = await loadTokenizer();
  const counter = createTokenCounter(tokenizer);
  const grammars = createGrammarCache();
  const fixedReplies = options.models.flatMap(({ id, reply, chunks }) =>
    reply === undefined ? [] : [[id, createFixedReply(reply, chunks, tokenizer)] as const],
  );
  const fingerprint = `fp_${hash('sha256', JSON.stringify([engineVersion, options])).slice(0, 10)}`;
  /** The first event of each reply. */
  const meta: ChatEvent = Object.freeze({ type: 'meta', system_fingerprint: fingerprint });
  // V8 compiles a pattern to bytecode at its first use, and to machine code at the second.
  for (let run = 0; run < 2; run++) {
    await planReply(warmUpRequest, grammars.forRequest(), tokenizer, createPause());
  }
  return {
    ...{ options, tokenizer, counter, meta, grammars, promptCache: createPromptCache(counter) },
    /** By the ID of the model. */
    fixedReplies: new Map(fixedReplies),
  };
}

const properties = { name: { type: 'string' }, count: { type: 'integer' }, size: { type: 'number' } };
const schema = { type: 'object', properties, required: Object.keys(properties) };
/**
 * Uses what the first request with a JSON Schema would compile: automata of strings and numbers, and patterns of Unicode letters. It takes
 * about 100 ms, which would block the event loop within a request.
 */
const warmUpRequest: ChatRequest = {
  ...chatRequestDefaults,
  model: 'simulator',
  messages: [{ role: 'user', content: `Ask "Ada Lovelace" in Paris, TX for 2 or 'three' maps.` }],
  response_format: { type: 'json_schema', json_schema: { name: 'warm_up', schema } },
};
