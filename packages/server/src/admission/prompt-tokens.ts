import type { ChatEngine, ChatRequest } from '@modelwire/ports';
import type { ChatCompletionMessageParam } from '@modelwire/schema/types';

export interface PromptTokens {
  readonly tokens: number;
  /** Estimated from the length of the texts, because the engine cannot count without generating. */
  readonly isEstimated: boolean;
}

/** Tokens around each message: its role, start and end. */
const tokensPerMessage = 4;
/** Tokens of an image, audio or file. The actual number depends on the model, from about 80 to about 1,500. */
const tokensPerMedia = 1000;
/** English has about four bytes per token; code and other scripts in UTF-8 have about three. */
const bytesPerToken = 3;

/** The tokens of a prompt: counted by the engine, or else estimated, rather too high. Computed once, on first use. */
export function promptTokens(request: ChatRequest, engine: ChatEngine): () => PromptTokens {
  let cached: PromptTokens | undefined;
  return () => {
    if (cached) return cached;
    const counted = engine.countPromptTokens?.(request);
    cached =
      counted === undefined
        ? { tokens: estimate(request), isEstimated: true }
        : { tokens: counted, isEstimated: false };
    return cached;
  };
}

/** The tokens of a prompt for a request that asks for their number. */
export async function countTokens(request: ChatRequest, engine: ChatEngine, signal: AbortSignal): Promise<number> {
  return (await engine.countTokens?.(request, signal)) ?? promptTokens(request, engine)().tokens;
}

function estimate({ messages, tools, response_format: format }: ChatRequest): number {
  let tokens = 0;
  for (const message of messages) tokens += tokensPerMessage + estimateMessage(message);
  if (tools.length > 0) tokens += estimateTextTokens(JSON.stringify(tools));
  if (format.type === 'json_schema') tokens += estimateTextTokens(JSON.stringify(format.json_schema));
  return tokens;
}

function estimateMessage(message: ChatCompletionMessageParam): number {
  let tokens = 0;
  if (message.role === 'assistant') {
    if (message.reasoning_content) tokens += estimateTextTokens(message.reasoning_content);
    if (message.tool_calls) tokens += estimateTextTokens(JSON.stringify(message.tool_calls));
    if (message.function_call) tokens += estimateTextTokens(JSON.stringify(message.function_call));
  }
  const { content } = message;
  if (typeof content === 'string') return tokens + estimateTextTokens(content);
  for (const part of content ?? []) {
    if (part.type === 'text') tokens += estimateTextTokens(part.text);
    else if (part.type === 'refusal') tokens += estimateTextTokens(part.refusal);
    else tokens += tokensPerMedia;
  }
  return tokens;
}

/** Estimates the tokens of a text, rather too high. */
export function estimateTextTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

/** Estimates the tokens of a text of so many bytes in UTF-8, rather too high. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}
