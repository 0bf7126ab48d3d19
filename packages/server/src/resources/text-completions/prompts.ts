import type { ChatCompletionCreateParams, TextCompletionCreateParamsBase } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { Prompt } from '../../generation/text-or-tokens.ts';
import { invalid, unsupported, unsupportedValue } from '../../errors.ts';
import type { ResolvedChatModel } from '../../models/model-registry.ts';

/** Choices of one request: `n` for each prompt. */
const maxChoices = 128;

/** @throws a 400 that names what the model, or this server, does not support. */
export function assertSupported(
  { n = 1, best_of, echo, logprobs, max_tokens, stream, stream_options, suffix }: TextCompletionCreateParamsBase,
  prompts: readonly Prompt[],
  { engine, model }: ResolvedChatModel,
  server: ServerContext,
): void {
  const { textCompletions } = engine;
  const unsupportedParameter = (param: string, why: string) =>
    unsupported(param, `Unsupported parameter: '${param}' ${why}.`);
  if (!engine.complete || !textCompletions) {
    throw unsupportedValue(
      'model',
      `Unsupported value: the model '${model.id}' does not support text completions. Use /v1/chat/completions or /v1/responses.`,
    );
  }
  if (prompts.length * n > maxChoices) {
    throw invalid(
      'n',
      `Invalid 'n': ${prompts.length} prompts with ${n} choices each are more than ${maxChoices} choices.`,
    );
  }
  if (best_of !== undefined && best_of !== n)
    throw unsupportedParameter('best_of', "is not supported unless it equals 'n'");
  if (stream_options && !stream) throw invalid('stream_options', "Invalid 'stream_options': it requires 'stream'.");
  const hasTokens = typeof prompts[0] !== 'string';
  if (hasTokens && !textCompletions.tokens) {
    throw unsupportedValue(
      'prompt',
      `Unsupported value: 'prompt' must be text with the model '${model.id}', not token IDs.`,
    );
  }
  if (hasTokens && server.options.moderate && server.options.moderate.of !== 'output')
    throw unsupportedValue(
      'prompt',
      "Unsupported value: 'prompt' must be text, because this server moderates prompts.",
    );
  if (suffix && !textCompletions.suffix)
    throw unsupportedParameter('suffix', `is not supported with the model '${model.id}'`);
  if (max_tokens === 0 && !echo)
    throw invalid(
      'max_tokens',
      "Invalid 'max_tokens': 0 requires 'echo'. Set it to 1 or more.",
      'integer_below_min_value',
    );
  if (needsEngineEcho(echo, prompts[0], logprobs) && textCompletions.echo?.(model.id) !== true)
    throw unsupportedParameter(
      'echo',
      `is not supported together with 'logprobs' or with token IDs with the model '${model.id}'`,
    );
  const { parameters } = model.capabilities;
  if (logprobs !== undefined && (parameters.logprobs === 'refused' || parameters.top_logprobs === 'refused'))
    throw unsupportedParameter('logprobs', `is not supported with the model '${model.id}'`);
}

/** Whether only the engine can add the prompt to the reply: it has the log probabilities of its tokens, and the text of token IDs. */
export function needsEngineEcho(
  echo: boolean | undefined,
  prompt: Prompt | undefined,
  logprobs: number | undefined,
): boolean {
  return echo === true && (logprobs !== undefined || typeof prompt !== 'string');
}

/** Characters that stand for a token ID in estimates. */
const charactersPerToken = 3;
/** The output limit of a request without `max_tokens`. */
export const defaultMaxTokens = 16;

/** The field of a text completion that a field of its chat request was made from. */
export function fieldOf(chatField: string): string {
  if (chatField === 'max_completion_tokens') return 'max_tokens';
  if (chatField === 'top_logprobs') return 'logprobs';
  return chatField.replace(/^messages\b.*/, 'prompt');
}

/** The chat request with the same parameters: the prompt is its message, for limits, moderation and usage. */
export function chatRequestOf(
  {
    model,
    prompt: _,
    best_of,
    echo,
    suffix,
    logprobs,
    max_tokens,
    stream,
    stream_options,
    ...shared
  }: TextCompletionCreateParamsBase,
  prompt: Prompt,
): ChatCompletionCreateParams {
  const content = typeof prompt === 'string' ? prompt : ' '.repeat(prompt.length * charactersPerToken);
  return {
    ...shared,
    model,
    messages: [{ role: 'user', content }],
    ...(typeof max_tokens === 'number' && { max_completion_tokens: max_tokens }),
    ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs }),
  };
}
