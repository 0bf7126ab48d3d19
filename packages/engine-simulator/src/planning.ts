import type { ChatRequest } from '@modelwire/server';
import type { Grammars } from './grammar/grammars.ts';
import type { PlannedPart } from './parts.ts';
import { planReply } from './replies/plan.ts';
import { heldFormat, structuredReply } from './replies/structured.ts';
import type { Tokenizer } from './tokenizer.ts';
import { callParts, chosenCalls } from './tools/calls.ts';
import { promised } from './tools/inputs.ts';

/** Awaited between two grammars, where it gives something to await. */
type Breathe = () => Promise<void> | undefined;

/** What a reply consists of: the same for each choice. Throws a 400 for grammars that cannot be enforced. */
export async function planParts(
  request: ChatRequest,
  grammars: Grammars,
  tokenizer: Tokenizer,
  breathe: Breathe,
): Promise<readonly PlannedPart[]> {
  const format = heldFormat(request, grammars);
  for (const [index, tool] of request.tools.entries()) {
    await breathe();
    promised(tool, index, grammars);
  }
  await breathe();
  const calls = chosenCalls(request);
  if (calls.length > 0) return callParts(calls, request, grammars, tokenizer);
  return [format ? structuredReply(request, format, grammars) : { kind: 'text', segments: planReply(request) }];
}
