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
import { createControlTokenEscaper } from './escape-control-tokens.ts';
import type { ChatTemplate, TemplateInput } from './template.ts';
import { tokenizeParts } from './tokenize.ts';

export interface PromptBuilderInit {
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly template: ChatTemplate;
  readonly contextSize: number;
}

interface Prompt {
  /** At most as many as fit into the context with one token of a reply. */
  readonly tokens: readonly Token[];
  /** Whether the prompt ends with the start of reasoning. */
  readonly opensReasoning: boolean;
}

export type BuildPrompt = (
  request: Pick<ChatRequest, 'messages' | 'response_format' | 'reasoning_effort'>,
  tools: readonly ChatCompletionTool[],
  signal: AbortSignal,
) => Promise<Prompt>;

export function createPromptBuilder({ model, vocabulary, template, contextSize }: PromptBuilderInit): BuildPrompt {
  const { bos, shouldPrependBosToken } = model.tokens;
  return async (request, tools, signal) => {
    const escaper = createControlTokenEscaper(vocabulary);
    const text = renderTemplate(template, escaper.escape(inputOf(request, tools, template)));
    const tokens: Token[] = [];
    for (const piece of escaper.split(text)) {
      const tokenize = (part: string): readonly Token[] => {
        const trim = tokens.length > 0 ? 'trimLeadingSpace' : undefined;
        return piece.isEscaped ? tokenizeAsText(model, part, trim) : model.tokenize(part, true, trim);
      };
      for await (const part of tokenizeParts(piece.text, tokenize, signal)) {
        for (const token of part) tokens.push(token);
        if (tokens.length + 2 > contextSize) throw contextExceeded(contextSize);
      }
    }
    if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos);
    return { tokens, opensReasoning: /<think>\s*$/.test(text) };
  };
}

/** Tokenizes the text of a control token as plain text. */
function tokenizeAsText(model: LlamaModel, text: string, trim: 'trimLeadingSpace' | undefined): readonly Token[] {
  const tokens = model.tokenize(text, false, trim);
  if (tokens.length > 1) return tokens;
  // llama.cpp recognizes user-defined tokens, such as `<|start|>` of gpt-oss, in any text. Parts of them are plain text.
  const middle = Math.ceil(text.length / 2);
  const parts = [text.slice(0, middle), text.slice(middle)];
  return parts.flatMap((part, index) => model.tokenize(part, false, index > 0 ? 'trimLeadingSpace' : trim));
}

function inputOf(
  { messages, response_format, reasoning_effort: effort }: Parameters<BuildPrompt>[0],
  tools: readonly ChatCompletionTool[],
  { supportsTools }: ChatTemplate,
): TemplateInput {
  const toolText = tools.length === 0 || supportsTools ? undefined : toolInstructions(tools);
  const instructions = [toolText, formatInstructions(response_format)]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const conversation = templateMessages(messages, supportsTools);
  return {
    messages: instructions === '' ? conversation : withInstructions(instructions, conversation),
    isReasoning: effort !== undefined && effort !== 'none',
    ...(supportsTools && tools.length > 0 && { tools: tools.map(toolSignature) }),
  };
}

export function contextExceeded(contextSize: number, param = 'messages'): Error {
  return invalid(
    param,
    `This model's context has ${contextSize} tokens for prompt and reply together, and '${param}' exceeds it. Shorten it.`,
    'context_length_exceeded',
  );
}

function renderTemplate(template: ChatTemplate, input: TemplateInput): string {
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
