import type { GrammarSteps } from '@modelwire/grammar';
import type { ChatRequest } from '@modelwire/ports';
import type { PartKind, ToolCall } from './generation/choice.ts';
import type { Constraint } from './grammar/constraint.ts';
import { readConversation } from './prompt/conversation.ts';
import { formatConstraint, jsonReply, valueSource } from './reply/json-reply.ts';
import { refusal } from './reply/templates.ts';
import { reasoningPieces, textReply } from './reply/text-reply.ts';
import type { Yield } from './sampling/pace.ts';
import type { Piece } from './sampling/walk.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';
import { callInput, inputConstraint, strictConstraint } from './tools/call-input.ts';
import { selectCalls, toolName } from './tools/select-calls.ts';

/** A part of a planned reply: the same for all choices of a request. */
export interface PlannedPart {
  readonly kind: PartKind;
  /** With a constraint a single text that its grammar accepts. */
  readonly pieces: readonly Piece[];
  readonly constraint?: Constraint | undefined;
  /** The text of a fixed reply, each token of which has the probability 1. */
  readonly isFixed?: boolean;
  readonly call?: ToolCall;
}

/** Plans a reply: reasoning, then a refusal, tool calls, JSON or text. Throws a 400 for grammars that cannot be enforced. */
export function planReply(
  request: ChatRequest,
  grammars: GrammarSteps,
  tokenizer: Tokenizer,
  pause: Yield,
): readonly PlannedPart[] | Promise<readonly PlannedPart[]> {
  const pieces = reasoningPieces(request, (text) => tokenizer.encode(text).length);
  const reasoning: PlannedPart[] = pieces.length > 0 ? [{ kind: 'reasoning', pieces }] : [];
  if (request.tools.length === 0 && request.response_format.type === 'text') return [...reasoning, plainPart(request)];
  return planConstrained(request, grammars, tokenizer, pause).then((parts) => [...reasoning, ...parts]);
}

function plainPart(request: ChatRequest): PlannedPart {
  const refused = refusal(readConversation(request.messages));
  if (refused) return { kind: 'refusal', pieces: refused.lines.map(({ wordings }) => wordings) };
  return { kind: 'text', pieces: textReply(request).pieces };
}

async function planConstrained(
  request: ChatRequest,
  grammars: GrammarSteps,
  tokenizer: Tokenizer,
  pause: Yield,
): Promise<readonly PlannedPart[]> {
  const { tools } = request;
  const format = await formatConstraint(request, grammars, pause);
  for (const [index, tool] of tools.entries()) {
    await pause();
    await strictConstraint(tool, index, grammars, pause);
  }
  await pause();
  const plain = plainPart(request);
  if (plain.kind === 'refusal') return [plain];
  const conversation = readConversation(request.messages);
  const calls = selectCalls(request, conversation);
  const source = valueSource(request, conversation);
  const parts: PlannedPart[] = [];
  for (const [index, { tool, text }] of calls.entries()) {
    const constraint = await inputConstraint(tool, tools.indexOf(tool), grammars, pause);
    const input = await callInput(tool, constraint, { ...source, text, context: conversation.head }, pause);
    const name = toolName(tool);
    const call = { name, index, tokens: tokenizer.encode(name).length };
    parts.push({ kind: tool.type, pieces: [[input]], call, constraint });
  }
  if (parts.length > 0) return parts;
  if (!format) return [plain];
  return [{ kind: 'text', pieces: [[await jsonReply(request, format, grammars, pause)]], constraint: format }];
}
