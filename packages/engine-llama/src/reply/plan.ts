import type { GrammarSteps } from '@modelwire/grammar';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { createCompileInSteps } from '../grammar/compile-in-steps.ts';
import type { CompileInSteps } from '../grammar/compile-in-steps.ts';
import { looseObject } from '../grammar/grammars.ts';
import type { GrammarPlace, TextGrammar } from '../grammar/refusal.ts';
import { grammarGuide, quotedGuide } from '../guide/grammar-guide.ts';
import { anyText, endGuide, literal, oneOf, textUntil } from '../guide/guide.ts';
import type { Callable, Guide } from '../guide/guide.ts';
import { hiddenUntil, withoutNewlines } from '../guide/thoughts.ts';
import { toolCallStart } from '../prompt/messages.ts';
import { nameOf, toolPermission } from './tool-permission.ts';

/** Maximum calls of one reply: ends a model that repeats itself. */
const mostCalls = 32;

/** The schema of a function without parameters. */
const nothing = { type: 'object', properties: {}, required: [], additionalProperties: false };

/** The constraint of a reply, undefined for any text, and the tools in the prompt. */
export interface Plan {
  readonly guide: Guide | undefined;
  readonly tools: readonly ChatCompletionTool[];
}

/** Wraps a plan with hidden reasoning before it. `opened`: the prompt already opens the reasoning. */
export function withHiddenReasoning(guide: Guide | undefined, opened: boolean): Guide {
  const thoughts = hiddenUntil('</think>', () => withoutNewlines(2, guide ?? anyText));
  return opened ? thoughts : { ...literal('<think>', () => thoughts), hidden: true };
}

/**
 * Throws a 400 for unsupported grammars, also of tools that are not called: nothing is enforced in part. Yields to the event
 * loop every few milliseconds.
 */
export async function planReply(request: ChatRequest, grammars: GrammarSteps, signal: AbortSignal): Promise<Plan> {
  const compile = createCompileInSteps(signal);
  const format = await heldFormat(request, grammars, compile);
  const text = format && grammarGuide({ held: format, channel: 'text' });
  const inputs = new Map<ChatCompletionTool, Input>();
  for (const [index, tool] of request.tools.entries()) {
    inputs.set(tool, await inputOf({ tool, index }, grammars, compile));
  }
  const { tools, must } = toolPermission(request);
  if (tools.length === 0) {
    // A conversation with calls makes the model produce more of them, as text.
    return { guide: text ?? (request.tools.length > 0 ? textUntil(toolCallStart) : undefined), tools: [] };
  }
  const single =
    !request.parallel_tool_calls ||
    (typeof request.tool_choice === 'object' && request.tool_choice.type !== 'allowed_tools');
  const callables = tools.map((tool) => ({
    tool: { kind: tool.type, name: nameOf(tool) },
    input: inputs.get(tool) ?? { held: undefined, custom: false },
  }));
  const opened = (left: number): Guide => oneOf(callables.map((callable) => call(callable, () => closed(left - 1))));
  const closed = (left: number): Guide =>
    single || left === 0
      ? endGuide
      : { ...literal(`\n${toolCallStart}`, () => opened(left)), canEnd: true, completion: endGuide.completion };
  const calls = (): Guide => opened(mostCalls);
  // The prompt has all tools, whichever can be called, so that the cached prefix of a conversation stays valid.
  if (must) return { guide: literal(toolCallStart, calls), tools: request.tools };
  return {
    guide: text ? oneOf([text, literal(toolCallStart, calls)]) : textUntil(toolCallStart, calls),
    tools: request.tools,
  };
}

interface Input {
  readonly held: TextGrammar | undefined;
  readonly custom: boolean;
}

function call({ tool, input }: { readonly tool: Callable; readonly input: Input }, then: () => Guide): Guide {
  const head = `\n{"name": ${JSON.stringify(tool.name)}, "arguments": `;
  if (input.custom) {
    const close = (): Guide => literal('}}\n</tool_call>', then);
    return literal(`${head}{"input": "`, () => quotedGuide({ held: input.held, tool, then: close }));
  }
  const { held } = input;
  if (!held) throw new Error('a function without a grammar');
  const close = (): Guide => literal('}\n</tool_call>', then);
  return literal(head, () => grammarGuide({ held, channel: 'input', tool, then: close }));
}

async function heldFormat(
  { response_format: format }: ChatRequest,
  grammars: GrammarSteps,
  compile: CompileInSteps,
): Promise<TextGrammar | undefined> {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') {
    return compile({ path: ['response_format'], of: 'response_format', kind: 'schema' }, grammars.jsonObject());
  }
  const { name, schema, strict } = format.json_schema;
  const path = ['response_format', 'json_schema', 'schema'];
  const place: GrammarPlace = { path, of: `response_format '${name}'`, kind: 'schema', schema };
  return compile(place, grammars.jsonSchema(schema ?? true, { strict: strict === true }));
}

/**
 * The constraint of a tool's input: the parameters of a strict function, the grammar of a custom tool; for other functions the
 * parameters if supported.
 */
async function inputOf(
  { tool, index }: { readonly tool: ChatCompletionTool; readonly index: number },
  grammars: GrammarSteps,
  compile: CompileInSteps,
): Promise<Input> {
  if (tool.type === 'custom') {
    const { name, format } = tool.custom;
    if (format?.type !== 'grammar') return { held: undefined, custom: true };
    const { syntax, definition } = format.grammar;
    const path = ['tools', index, 'custom', 'format', 'grammar', 'definition'];
    const place: GrammarPlace = { path, of: `custom tool '${name}'`, kind: 'grammar' };
    return { custom: true, held: await compile(place, grammars.text(syntax, definition)) };
  }
  const { name, strict, parameters = nothing } = tool.function;
  const path = ['tools', index, 'function', 'parameters'];
  const place: GrammarPlace = { path, of: `function '${name}'`, kind: 'schema', schema: parameters };
  const compiling =
    strict === true ? grammars.jsonSchema(parameters, { strict: true }) : looseObject(parameters, grammars);
  return { custom: false, held: await compile(place, compiling) };
}
