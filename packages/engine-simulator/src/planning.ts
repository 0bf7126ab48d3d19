import type { ChatRequest } from '@modelwire/ports';
import type { Grammars } from './grammar/grammars.ts';
import type { Held, PlannedPart } from './parts.ts';
import { planReply } from './replies/plan.ts';
import { planReasoning } from './replies/reasoning.ts';
import { planRefusal } from './replies/refusal.ts';
import { heldFormat, structuredReply } from './replies/structured.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { Breathe } from './prompt-tokens.ts';
import { callParts, chosenCalls } from './tools/calls.ts';
import { promised } from './tools/inputs.ts';

/** What a reply consists of: the same for each choice. Throws a 400 for grammars that cannot be enforced. */
export function planParts(
  request: ChatRequest,
  grammars: Grammars,
  tokenizer: Tokenizer,
  breathe: Breathe,
): readonly PlannedPart[] | Promise<readonly PlannedPart[]> {
  const isPlain = request.tools.length === 0 && request.response_format.type === 'text';
  return isPlain
    ? withReasoning(request, tokenizer, [plainPart(request)])
    : planHeldParts(request, grammars, tokenizer, breathe);
}

async function planHeldParts(
  request: ChatRequest,
  grammars: Grammars,
  tokenizer: Tokenizer,
  breathe: Breathe,
): Promise<readonly PlannedPart[]> {
  const format = await heldFormat(request, grammars, breathe);
  for (const [index, tool] of request.tools.entries()) {
    await breathe();
    await promised(tool, index, grammars, breathe);
  }
  await breathe();
  return withReasoning(request, tokenizer, await heldParts(request, format, grammars, tokenizer, breathe));
}

function withReasoning(
  request: ChatRequest,
  tokenizer: Tokenizer,
  said: readonly PlannedPart[],
): readonly PlannedPart[] {
  const reasoning = planReasoning(request, (text) => tokenizer.encode(text).length);
  return reasoning.length === 0 ? said : [{ kind: 'hidden', segments: reasoning }, ...said];
}

async function heldParts(
  request: ChatRequest,
  format: Held | undefined,
  grammars: Grammars,
  tokenizer: Tokenizer,
  breathe: Breathe,
): Promise<readonly PlannedPart[]> {
  const refusal = planRefusal(request);
  if (refusal) return [{ kind: 'refusal', segments: refusal }];
  const calls = chosenCalls(request);
  await breathe();
  if (calls.length > 0) return callParts(calls, request, grammars, tokenizer, breathe);
  return [format ? await structuredReply(request, format, grammars, breathe) : plainPart(request)];
}

function plainPart(request: ChatRequest): PlannedPart {
  const refusal = planRefusal(request);
  return refusal ? { kind: 'refusal', segments: refusal } : { kind: 'text', segments: planReply(request) };
}
