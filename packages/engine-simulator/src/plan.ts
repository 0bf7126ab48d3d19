import type { GrammarSteps } from '@modelwire/grammar';
import { toolName } from '@modelwire/adapter-kit';
import type { Pause } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import { formatGrammar, toolGrammar } from '@modelwire/schema/internal';
import type { RequestGrammar } from '@modelwire/schema/internal';
import { compile, runOrRefuse } from './constraint.ts';
import type { Constraint } from './constraint.ts';
import { readConversation } from './prompt/conversation.ts';
import { refusal } from './reply/templates.ts';
import { reasoningPieces, textReply } from './reply/text-reply.ts';
import type { Piece } from './reply/text-reply.ts';
import type { Template } from './sampling/token-source.ts';
import { selectCalls } from './select-calls.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';
import type { ValueSource } from './values/candidates.ts';
import { freeTexts, writeText } from './values/write-text.ts';

/** A part of a planned reply. */
export interface PlannedPart {
  /** `reasoning` is generated and counted, but not sent. */
  readonly kind: 'reasoning' | 'text' | 'refusal' | 'input';
  readonly template: Template;
  /** Whether the template is a single text whose tokens have the probability 1. */
  readonly isExact: boolean;
  readonly constraint?: Constraint | undefined;
  /** The call that this part is the input of. */
  readonly call?: PlannedCall;
}

interface PlannedCall {
  readonly kind: 'function' | 'custom';
  readonly name: string;
  /** Its index among the calls of the message. */
  readonly index: number;
  /** Tokens of the name. */
  readonly tokens: number;
}

/** Plans a reply: reasoning, then a refusal, tool calls, JSON or text. Throws a 400 for grammars that cannot be enforced. */
export async function planReply(
  request: ChatRequest,
  grammars: GrammarSteps,
  tokenizer: Tokenizer,
  pause: Pause,
): Promise<readonly PlannedPart[]> {
  const { tools, response_format, reasoning_effort = 'none', verbosity } = request;
  const count = (text: string): number => tokenizer.encode(text).length;
  const part = (kind: PlannedPart['kind'], pieces: readonly Piece[], constraint?: Constraint): PlannedPart => {
    const template = pieces.map((wordings) => wordings.map((wording) => tokenizer.encode(wording)));
    return { kind, template, constraint, isExact: constraint !== undefined };
  };
  const compiled = async (origin: RequestGrammar | undefined): Promise<Constraint | undefined> =>
    origin && (await compile(origin, grammars, pause));

  const format = await compiled(formatGrammar(response_format));
  // What cannot be enforced is a 400, whether the tool is called or not.
  const inputs = tools.map(toolGrammar);
  for (const input of inputs) if (input?.source.type !== 'json_schema' || input.source.strict) await compiled(input);

  const conversation = readConversation(request);
  const reasoning = reasoningPieces(conversation, reasoning_effort, count);
  const parts = reasoning.length > 0 ? [part('reasoning', reasoning)] : [];
  const refused = refusal(conversation);
  if (refused)
    return [
      ...parts,
      part(
        'refusal',
        refused.lines.map(({ wordings }) => wordings),
      ),
    ];
  const calls = selectCalls(request, conversation);
  if (calls.length === 0 && !format) return [...parts, part('text', textReply(conversation, verbosity).pieces)];

  const { head, earlier } = conversation;
  const reply = textReply(conversation, verbosity === 'high' ? 'medium' : 'low');
  const source: ValueSource = { text: head, context: earlier.slice(-20).join('\n'), reply, conversation };
  const write = async (constraint: Constraint | undefined, from: ValueSource): Promise<string> =>
    constraint
      ? runOrRefuse(constraint.origin, writeText(constraint, grammars, from), pause)
      : (freeTexts(from.text)[0] ?? '');
  if (calls.length === 0) return [...parts, part('text', [[await write(format, source)]], format)];
  for (const [index, { tool, text }] of calls.entries()) {
    const name = toolName(tool);
    const constraint = await compiled(inputs[tools.indexOf(tool)]);
    const asked = tool.type === 'custom' ? withoutOrder(text, name) : text;
    const input = await write(constraint, { ...source, text: asked, context: head });
    parts.push({
      ...part('input', [[input]], constraint),
      call: { kind: tool.type, name, index, tokens: count(name) },
    });
  }
  return parts;
}

/** A text without the order to use a tool: `use the run_code tool`. */
function withoutOrder(text: string, name: string): string {
  const order = String.raw`\b(?:use|call|run|with)\s+(?:the\s+)?${name.replaceAll('-', '.')}(?:\s+tool)?\b`;
  return text.replace(new RegExp(order, 'i'), ' ').trim();
}
