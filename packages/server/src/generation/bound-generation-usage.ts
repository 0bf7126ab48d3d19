import { jsonLength } from '@modelwire/adapter-kit/internal';
import type { ChatRequest } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import {
  addedPromptTokens,
  boundUsage,
  maxCompletionTokensOfAnyModel,
  maxPromptTokensOfAnyModel,
  maxTokensPerCodeUnit,
} from '../limits/bound-usage.ts';
import type { PromptTokens } from '../admission/prompt-tokens.ts';
import type { GenerationPlan } from './plan.ts';

/** A video or a document of a thousand pages; images have about 1,500 tokens. */
const maxTokensPerMedia = 1_000_000;
/** The estimate of a text is a third of its bytes, and no token has less than a byte. */
const maxTokensPerEstimatedToken = 3;

interface BoundedGeneration {
  readonly plan: GenerationPlan;
  readonly getPromptTokens: () => PromptTokens;
  /** Tokens of the reply that were counted so far: an engine that exceeds the output limit is charged for what it generated. */
  readonly counted: number;
  readonly readsBeyondBody: boolean;
  /** Maximum number of requests for one choice, if it can be invalid. */
  readonly maxAttempts: number;
}

/** Limits the usage that an engine reported to what the request, with all its repetitions, can mean. */
export function boundGenerationUsage(usage: CompletionUsage, generation: BoundedGeneration): CompletionUsage {
  const { plan, counted, maxAttempts } = generation;
  const { n, max_completion_tokens, max_tokens } = plan.body;
  const { requiredTools, grammars } = plan.emulation;
  const attempts = requiredTools || grammars ? maxAttempts : 1;
  const ofEachAttempt = (n ?? 1) * (max_completion_tokens ?? max_tokens ?? maxCompletionTokensOfAnyModel);
  // Most prompts are short: their length need not be known.
  const isShort = usage.prompt_tokens <= addedPromptTokens;
  // Each repetition has the earlier replies in its prompt.
  const repeated = attempts === 1 ? 0 : attempts * ofEachAttempt;
  return boundUsage(usage, {
    maxPromptTokens: isShort ? addedPromptTokens : attempts * (maxPromptTokens(generation) + repeated),
    maxCompletionTokens: Math.max(attempts * ofEachAttempt, counted),
  });
}

function maxPromptTokens({ plan: { body, request }, getPromptTokens, readsBeyondBody }: BoundedGeneration): number {
  if (readsBeyondBody || request.web_search_options) return maxPromptTokensOfAnyModel;
  const { messages: _, ...parameters } = body;
  const tokens =
    addedPromptTokens +
    maxTokensPerEstimatedToken * getPromptTokens().tokens +
    maxTokensPerMedia * mediaCount(request) +
    // Also fields that the server does not know, which an upstream may add to its prompt.
    maxTokensPerCodeUnit * jsonLength([parameters, request.search_results]);
  return Math.min(tokens, maxPromptTokensOfAnyModel);
}

function mediaCount({ messages }: ChatRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const { type } of content ?? []) if (type !== 'text' && type !== 'refusal') count += 1;
  }
  return count;
}
