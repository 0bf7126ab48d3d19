import type { GrammarSteps } from '@modelwire/grammar';
import { createPause, toolName, toolPermission } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import { formatGrammar, toolGrammar } from '@modelwire/schema/internal';
import type { RequestGrammar } from '@modelwire/schema/internal';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import { grammarGuide, quotedGuide } from '../guide/grammar-guide.ts';
import { anyText, endGuide, literal, oneOf, textUntil } from '../guide/guide.ts';
import type { Callable, Guide } from '../guide/guide.ts';
import { hiddenUntil, withoutLeadingNewlines } from '../guide/hidden-reasoning.ts';
import { compileTextGrammar } from '../guide/text-grammar.ts';
import type { TextGrammar } from '../guide/text-grammar.ts';
import { toolCallStart } from '../prompt/messages.ts';

/** The maximum number of calls in a reply, in case a model repeats itself. */
const maxCalls = 32;

export interface Plan {
  /** The constraint of the reply; undefined for any text. */
  readonly guide: Guide | undefined;
  /** The tools in the prompt. */
  readonly tools: readonly ChatCompletionTool[];
}

/** Adds hidden reasoning before a guide. @param isOpened Whether the prompt already contains the start of the reasoning. */
export function withHiddenReasoning(guide: Guide | undefined, isOpened: boolean): Guide {
  const reasoning = hiddenUntil('</think>', () => withoutLeadingNewlines(2, guide ?? anyText));
  return isOpened ? reasoning : { ...literal('<think>', () => reasoning), isHidden: true };
}

/**
 * Compiles the constraints of a request. Yields to the event loop every few milliseconds.
 * @throws a 400 for unsupported grammars, even of tools that cannot be called, because nothing is enforced partially.
 */
export async function planReply(request: ChatRequest, grammars: GrammarSteps, signal: AbortSignal): Promise<Plan> {
  const pause = createPause(signal);
  const compiled = async (origin: RequestGrammar | undefined): Promise<TextGrammar | undefined> =>
    origin && (await compileTextGrammar(origin, grammars, pause));
  const format = await compiled(formatGrammar(request.response_format));
  const text = format && grammarGuide({ constraint: format, channel: 'text' });
  const constraints = new Map<ChatCompletionTool, TextGrammar | undefined>();
  for (const [index, tool] of request.tools.entries()) constraints.set(tool, await compiled(toolGrammar(tool, index)));
  const { tools, isRequired, isSingle } = toolPermission(request);
  if (tools.length === 0) {
    // Prevents calls in the text, which models tend to produce in conversations with calls.
    return { guide: text ?? (request.tools.length > 0 ? textUntil(toolCallStart) : undefined), tools: [] };
  }
  const callables = tools.map((tool) => ({
    tool: { kind: tool.type, name: toolName(tool) },
    constraint: constraints.get(tool),
  }));
  const callGuide = (remaining: number): Guide =>
    oneOf(callables.map((callable) => call(callable, () => afterCall(remaining - 1))));
  const afterCall = (remaining: number): Guide =>
    isSingle || remaining === 0
      ? endGuide
      : { ...literal(`\n${toolCallStart}`, () => callGuide(remaining)), canEnd: true, completion: endGuide.completion };
  const calls = (): Guide => callGuide(maxCalls);
  // The prompt contains all tools, even if not all of them can be called, so that the cached prefix of a conversation stays valid.
  if (isRequired) return { guide: literal(toolCallStart, calls), tools: request.tools };
  return {
    guide: text ? oneOf([text, literal(toolCallStart, calls)]) : textUntil(toolCallStart, calls),
    tools: request.tools,
  };
}

interface CallSyntax {
  readonly tool: Callable;
  /** Undefined for a custom tool with free text. */
  readonly constraint: TextGrammar | undefined;
}

function call({ tool, constraint }: CallSyntax, followUp: () => Guide): Guide {
  const head = `\n{"name": ${JSON.stringify(tool.name)}, "arguments": `;
  if (tool.kind === 'custom') {
    const close = (): Guide => literal('}}\n</tool_call>', followUp);
    return literal(`${head}{"input": "`, () => quotedGuide({ constraint, tool, followUp: close }));
  }
  if (!constraint) throw new Error('a function without a grammar');
  const close = (): Guide => literal('}\n</tool_call>', followUp);
  return literal(head, () => grammarGuide({ constraint, channel: 'input', tool, followUp: close }));
}
