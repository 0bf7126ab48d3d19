import type { GrammarSteps } from '@modelwire/grammar';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { createGrammarCompiler } from '../grammar/grammar-compiler.ts';
import type { CompileGrammar } from '../grammar/grammar-compiler.ts';
import { nonStrictParameters } from '../grammar/non-strict-parameters.ts';
import type { GrammarLocation, TextGrammar } from '../grammar/grammar-error.ts';
import { grammarGuide, quotedGuide } from '../guide/grammar-guide.ts';
import { anyText, endGuide, literal, oneOf, textUntil } from '../guide/guide.ts';
import type { Callable, Guide } from '../guide/guide.ts';
import { hiddenUntil, withoutLeadingNewlines } from '../guide/hidden-reasoning.ts';
import { toolCallStart } from '../prompt/messages.ts';
import { nameOf, resolveToolChoice } from './tool-choice.ts';

/** The maximum number of calls in a reply, in case a model repeats itself. */
const maxCalls = 32;

/** The schema of a function without parameters. */
const emptyParameters = { type: 'object', properties: {}, required: [], additionalProperties: false };

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
  const compile = createGrammarCompiler(signal);
  const format = await compileResponseFormat(request, grammars, compile);
  const text = format && grammarGuide({ constraint: format, channel: 'text' });
  const inputs = new Map<ChatCompletionTool, Input>();
  for (const [index, tool] of request.tools.entries()) {
    inputs.set(tool, await inputOf({ tool, index }, grammars, compile));
  }
  const { tools, isRequired } = resolveToolChoice(request);
  if (tools.length === 0) {
    // Prevents calls in the text, which models tend to produce in conversations with calls.
    return { guide: text ?? (request.tools.length > 0 ? textUntil(toolCallStart) : undefined), tools: [] };
  }
  const isSingleCall =
    !request.parallel_tool_calls ||
    (typeof request.tool_choice === 'object' && request.tool_choice.type !== 'allowed_tools');
  const callables = tools.map((tool) => ({
    tool: { kind: tool.type, name: nameOf(tool) },
    input: inputs.get(tool) ?? { constraint: undefined, custom: false },
  }));
  const callGuide = (remaining: number): Guide =>
    oneOf(callables.map((callable) => call(callable, () => afterCall(remaining - 1))));
  const afterCall = (remaining: number): Guide =>
    isSingleCall || remaining === 0
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

interface Input {
  readonly constraint: TextGrammar | undefined;
  readonly custom: boolean;
}

function call({ tool, input }: { readonly tool: Callable; readonly input: Input }, followUp: () => Guide): Guide {
  const head = `\n{"name": ${JSON.stringify(tool.name)}, "arguments": `;
  if (input.custom) {
    const close = (): Guide => literal('}}\n</tool_call>', followUp);
    return literal(`${head}{"input": "`, () => quotedGuide({ constraint: input.constraint, tool, followUp: close }));
  }
  const { constraint } = input;
  if (!constraint) throw new Error('a function without a grammar');
  const close = (): Guide => literal('}\n</tool_call>', followUp);
  return literal(head, () => grammarGuide({ constraint, channel: 'input', tool, followUp: close }));
}

async function compileResponseFormat(
  { response_format: format }: ChatRequest,
  grammars: GrammarSteps,
  compile: CompileGrammar,
): Promise<TextGrammar | undefined> {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') {
    return compile({ path: ['response_format'], name: 'response_format', kind: 'schema' }, grammars.jsonObject());
  }
  const { name, schema, strict } = format.json_schema;
  const path = ['response_format', 'json_schema', 'schema'];
  const location: GrammarLocation = { path, name: `response_format '${name}'`, kind: 'schema', schema };
  return compile(location, grammars.jsonSchema(schema ?? true, { strict: strict === true }));
}

/**
 * Compiles the constraint of the input of a tool: the parameters of a strict function, the grammar of a custom tool, and for other functions
 * the parameters if they are supported.
 */
async function inputOf(
  { tool, index }: { readonly tool: ChatCompletionTool; readonly index: number },
  grammars: GrammarSteps,
  compile: CompileGrammar,
): Promise<Input> {
  if (tool.type === 'custom') {
    const { name, format } = tool.custom;
    if (format?.type !== 'grammar') return { constraint: undefined, custom: true };
    const { syntax, definition } = format.grammar;
    const path = ['tools', index, 'custom', 'format', 'grammar', 'definition'];
    const location: GrammarLocation = { path, name: `custom tool '${name}'`, kind: 'grammar' };
    return { custom: true, constraint: await compile(location, grammars.text(syntax, definition)) };
  }
  const { name, strict, parameters = emptyParameters } = tool.function;
  const path = ['tools', index, 'function', 'parameters'];
  const location: GrammarLocation = { path, name: `function '${name}'`, kind: 'schema', schema: parameters };
  const compiling =
    strict === true ? grammars.jsonSchema(parameters, { strict: true }) : nonStrictParameters(parameters, grammars);
  return { custom: false, constraint: await compile(location, compiling) };
}
