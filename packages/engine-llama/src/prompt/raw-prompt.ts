import { invalid } from '@modelwire/ports';
import type { LlamaModel, Token } from 'node-llama-cpp';
import type { EchoedPrompt } from '../reply/echo.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { contextExceeded } from './prompt.ts';
import { tokenizeParts } from './tokenize.ts';

export interface RawPromptInit {
  readonly model: LlamaModel;
  readonly vocabulary: Pick<Vocabulary, 'isToken' | 'size'>;
  readonly contextSize: number;
}

export interface RawPrompt extends EchoedPrompt {
  readonly opensReasoning: false;
}

/**
 * Reads a prompt that is continued without the chat template. Control tokens in a text are recognized, as in the server of llama.cpp. Token
 * IDs are used as they are; a text gets the token that starts a text (BOS) if the model requires it.
 * @throws a 400 that names `prompt` for an unknown token ID, and for a prompt that exceeds the context.
 */
export async function readRawPrompt(
  init: RawPromptInit,
  prompt: string | readonly number[],
  signal: AbortSignal,
): Promise<RawPrompt> {
  if (typeof prompt !== 'string') {
    return { tokens: readTokenIds(init, prompt), added: 0, text: undefined, opensReasoning: false };
  }
  const { bos, shouldPrependBosToken } = init.model.tokens;
  const tokens = await tokenize(init, prompt, signal);
  const isAdded = shouldPrependBosToken && bos !== null && tokens[0] !== bos;
  return {
    tokens: isAdded ? [bos, ...tokens] : tokens,
    added: isAdded ? 1 : 0,
    text: prompt,
    opensReasoning: false,
  };
}

function readTokenIds({ vocabulary, contextSize }: RawPromptInit, ids: readonly number[]): readonly Token[] {
  const { isToken, size } = vocabulary;
  if (ids.length >= contextSize) throw contextExceeded(contextSize, 'prompt');
  return ids.map((id) => {
    if (isToken(id)) return id;
    throw invalid('prompt', `Invalid 'prompt': the model has no token ${id}. Its token IDs are 0 to ${size - 1}.`);
  });
}

async function tokenize(
  { model, contextSize }: RawPromptInit,
  text: string,
  signal: AbortSignal,
): Promise<readonly Token[]> {
  const tokens: Token[] = [];
  const tokenizePart = (part: string): readonly Token[] =>
    model.tokenize(part, true, tokens.length > 0 ? 'trimLeadingSpace' : undefined);
  for await (const part of tokenizeParts(text, tokenizePart, signal)) {
    for (const token of part) tokens.push(token);
    if (tokens.length + 2 > contextSize) throw contextExceeded(contextSize, 'prompt');
  }
  return tokens;
}
