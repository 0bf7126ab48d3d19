import { setImmediate } from 'node:timers/promises';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import { invalid } from '@modelwire/ports';
import type { ChatRequest } from '@modelwire/ports';
import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Vocabulary } from '../vocabulary.ts';
import {
  formatInstructions,
  alternateTurns,
  templateMessages,
  toolInstructions,
  toolSignature,
  withInstructions,
} from './messages.ts';
import { openGuard } from './guard.ts';
import type { ChatTemplate, TemplateInput } from './template.ts';

/** Characters that are tokenized without yielding: about 10 milliseconds. */
const slice = 16_384;

export interface PromptWriterInit {
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly template: ChatTemplate;
  readonly contextSize: number;
}

export interface Prompt {
  /** At most as many as fit in the context with one token of a reply. */
  readonly tokens: readonly Token[];
  /** The prompt ends where reasoning starts. */
  readonly opensThoughts: boolean;
}

export type PromptWriter = (
  request: Pick<ChatRequest, 'messages' | 'response_format' | 'reasoning_effort'>,
  tools: readonly ChatCompletionTool[],
  signal: AbortSignal,
) => Promise<Prompt>;

export function promptWriter({ model, vocabulary, template, contextSize }: PromptWriterInit): PromptWriter {
  const { bos, shouldPrependBosToken } = model.tokens;
  return async (request, tools, signal) => {
    const guard = openGuard(vocabulary);
    const text = rendered(template, guard.hide(inputOf(request, tools, template)));
    const tokens: Token[] = [];
    for (const piece of guard.pieces(text)) {
      for (const part of slices(piece.text)) {
        const more = model.tokenize(part, !piece.hidden, tokens.length > 0 ? 'trimLeadingSpace' : undefined);
        for (const token of more) tokens.push(token);
        if (tokens.length + 2 > contextSize) throw tooLong(contextSize);
        if (part.length === slice) await setImmediate(undefined, { signal });
      }
    }
    if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos);
    return { tokens, opensThoughts: /<think>\s*$/.test(text) };
  };
}

/** The tokens of a text that is continued as it is. Texts of special tokens are those tokens, as llama.cpp's own server reads them. */
export async function rawPrompt(
  { model, contextSize }: Pick<PromptWriterInit, 'model' | 'contextSize'>,
  text: string,
  signal: AbortSignal,
): Promise<Token[]> {
  const { bos, shouldPrependBosToken } = model.tokens;
  const tokens: Token[] = [];
  for (const part of slices(text)) {
    const more = model.tokenize(part, true, tokens.length > 0 ? 'trimLeadingSpace' : undefined);
    for (const token of more) tokens.push(token);
    if (tokens.length + 2 > contextSize) throw tooLong(contextSize, 'prompt');
    if (part.length === slice) await setImmediate(undefined, { signal });
  }
  if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos);
  return tokens;
}

function inputOf(
  { messages, response_format, reasoning_effort: effort }: Parameters<PromptWriter>[0],
  tools: readonly ChatCompletionTool[],
  { takesTools }: ChatTemplate,
): TemplateInput {
  const told = tools.length === 0 || takesTools ? undefined : toolInstructions(tools);
  const instructions = [told, formatInstructions(response_format)].filter((text) => text !== undefined).join('\n\n');
  const said = templateMessages(messages, takesTools);
  return {
    messages: instructions === '' ? said : withInstructions(instructions, said),
    thinks: effort !== undefined && effort !== 'none',
    ...(takesTools && tools.length > 0 && { tools: tools.map(toolSignature) }),
  };
}

function tooLong(contextSize: number, param = 'messages'): Error {
  return invalid(
    param,
    `This model's context has ${contextSize} tokens for prompt and reply together, and '${param}' exceeds it. Shorten it.`,
    'context_length_exceeded',
  );
}

function rendered(template: ChatTemplate, input: TemplateInput): string {
  try {
    return template.render(input);
  } catch {
    try {
      return template.render({ ...input, messages: alternateTurns(input.messages) });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'no reason was given';
      throw invalid('messages', `This model's chat template rejects these messages: ${why.slice(0, 200)}`);
    }
  }
}

/** Splits a long text, between words where possible. */
function* slices(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > slice) {
    const space = Math.max(text.lastIndexOf(' ', start + slice), text.lastIndexOf('\n', start + slice));
    let stop = space > start + slice / 2 ? space : start + slice;
    // Not within a character.
    if (/[\udc00-\udfff]/.test(text.charAt(stop))) stop--;
    yield text.slice(start, stop);
    start = stop;
  }
  yield text.slice(start);
}
