import type { ChatRequest } from '@modelwire/ports';
import type { Grammars } from '../grammar/grammars.ts';
import type { PlannedPart } from '../parts.ts';
import { readConversation } from '../replies/conversation.ts';
import { spoken } from '../replies/plan.ts';
import { factsIn, resultsIn } from '../replies/results.ts';
import { leafGrammarBudget } from '../values/leaf.ts';
import type { Breathe } from '../prompt-tokens.ts';
import type { Tokenizer } from '../tokenizer.ts';
import { nameOf, permission } from './choice.ts';
import { heldInput, inputOf } from './inputs.ts';
import { likeliest, wantedCalls } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/**
 * The calls that a reply makes; none where it is to be in words. What the last user message asks for is called, less what was called since:
 * so each thing is asked of a tool once, and what tools have said is then told.
 */
export function chosenCalls(request: ChatRequest): readonly Wanted[] {
  const { tools, must } = permission(request);
  if (tools.length === 0) return [];
  const { head } = readConversation(request.messages);
  const left = [...wantedCalls(head, tools)];
  for (const { name } of resultsIn(request.messages)) {
    const at = left.findIndex(({ tool }) => nameOf(tool) === name);
    if (at !== -1) left.splice(at, 1);
  }
  const single =
    !request.parallel_tool_calls ||
    (typeof request.tool_choice === 'object' && request.tool_choice.type !== 'allowed_tools');
  if (left.length > 0) return single ? left.slice(0, 1) : left;
  const tool = must ? likeliest(head, tools) : undefined;
  return tool === undefined ? [] : [{ tool, text: head }];
}

export async function callParts(
  calls: readonly Wanted[],
  request: ChatRequest,
  grammars: Grammars,
  tokenizer: Tokenizer,
  breathe: Breathe,
): Promise<PlannedPart[]> {
  const { messages, tools } = request;
  const { head } = readConversation(messages);
  const facts = factsIn(resultsIn(messages));
  const { answer, word } = spoken({ ...request, verbosity: 'low' });
  const leafGrammars = leafGrammarBudget();
  const parts: PlannedPart[] = [];
  for (const [index, { tool, text }] of calls.entries()) {
    const held = await heldInput(tool, tools.indexOf(tool), grammars, breathe);
    await breathe();
    const words = { text, around: head, answer, word, facts };
    const input = await inputOf(tool, held, words, grammars, leafGrammars, breathe);
    await breathe();
    const name = nameOf(tool);
    const opening = { name, index, tokens: tokenizer.encode(name).length };
    parts.push({ kind: tool.type, segments: [[input]], opening, ...(held && { held }) });
  }
  return parts;
}
