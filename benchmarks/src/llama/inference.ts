import { createLlama } from '@modelwire/engine-llama';
import type { LlamaEngineOptions } from '@modelwire/engine-llama';
import { chatRequest } from '@modelwire/ports/testing';
import { getLlama } from 'node-llama-cpp';
import type { LlamaContextSequence } from 'node-llama-cpp';

/** A part of a reply. */
interface ReplyPart {
  readonly promptTokens: number;
  /** The number of new tokens. */
  readonly tokens: number;
}

/** Generates greedy replies to prompts. No prompt may start like an earlier one, so that none is cached. */
export type Inference = (prompt: string, maxTokens: number) => AsyncGenerator<ReplyPart, void, undefined>;

export async function openEngine(options: LlamaEngineOptions): Promise<Inference> {
  const engine = await createLlama({ ...options, gpu: false });
  const [model] = engine.models();
  if (!model) throw new Error('the engine has no model');
  let requests = 0;
  return async function* (content, max_completion_tokens) {
    const request = chatRequest({ messages: [{ role: 'user', content }], temperature: 0, max_completion_tokens });
    const requestId = `req_${requests++}`;
    const { signal } = new AbortController();
    const context = { requestId, project: requestId, model, requestBody: { model: model.id, messages: [] }, signal };
    let promptTokens = 0;
    for await (const events of engine.generate(request, context)) {
      let tokens = 0;
      for (const event of [events].flat()) {
        if (event.type === 'usage') promptTokens = event.usage.prompt_tokens;
        if (event.type === 'text') tokens += event.tokens ?? 1;
      }
      if (tokens > 0) yield { promptTokens, tokens };
    }
  };
}

/** node-llama-cpp alone, with the same context as the engine, and its own loop. */
export async function openBinding(
  options: Required<Pick<LlamaEngineOptions, 'path' | 'contextSize' | 'sequences' | 'threads'>>,
): Promise<Inference> {
  const { path, contextSize, sequences, threads } = options;
  const llama = await getLlama({ gpu: false, build: 'never' });
  const model = await llama.loadModel({ modelPath: path });
  const batchSize = 256 + sequences;
  const context = await model.createContext({
    contextSize,
    sequences,
    threads,
    batchSize,
    flashAttention: 'auto',
    swaFullCache: true,
  });
  const free: LlamaContextSequence[] = Array.from({ length: sequences }, () => context.getSequence());
  return async function* (prompt, maxTokens) {
    const sequence = free.shift();
    if (!sequence) throw new Error('no sequence is free');
    await sequence.clearHistory();
    const tokens = model.tokenize(prompt);
    const sampled = sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true });
    for (let count = 0; count < maxTokens; count++) {
      await sampled.next();
      yield { promptTokens: tokens.length, tokens: 1 };
    }
    await sampled.return();
    free.push(sequence);
  };
}
