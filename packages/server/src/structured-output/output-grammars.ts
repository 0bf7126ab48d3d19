import { isRecord, runInTimeSlices, toolName } from '@modelwire/adapter-kit';
import { createGrammarCache, GrammarError, runSteps } from '@modelwire/grammar';
import type { GrammarCache, GrammarSteps, Steps } from '@modelwire/grammar';
import type { ChatCapabilities, ChatModel } from '@modelwire/ports';
import { formatGrammar, grammarProblem, toolGrammar } from '@modelwire/schema/internal';
import type { RequestGrammar } from '@modelwire/schema/internal';
import type { ChatCompletionCreateParams, ChatCompletionTool, ResponseFormat } from '@modelwire/schema/types';
import { invalidField, RequestError } from '../errors.ts';
import { emulatesCustomTools, engineGrammars, toolAsFunction } from './custom-tools.ts';
import type { DocumentGrammar } from './document-reader.ts';
import { grammarInstruction } from './instructions.ts';
import { jsonDocuments } from './json-document.ts';
import { textDocuments } from './text-document.ts';

/** What a text of a reply has to be. */
export interface OutputGrammar extends DocumentGrammar {
  /** Whether an invalid text is repaired; otherwise it is an error. */
  readonly isRepaired: boolean;
  /** Whether a text that does not begin like a document passes as it is. */
  readonly allowsOtherText: boolean;
}

/** What the texts of a reply have to be. */
export interface OutputGrammars {
  /** Of the content, unless tools are called. */
  readonly format: OutputGrammar | undefined;
  /** Of the arguments of strict functions and the input of custom tools, by name: a function and a custom tool may have the same. */
  readonly tools: Readonly<Record<ToolKind, ReadonlyMap<string, OutputGrammar>>>;
}

type ToolKind = ChatCompletionTool['type'];

/** Of the input of custom tools that the engine calls as functions. */
export function customToolGrammars({ tools }: OutputGrammars): OutputGrammars {
  return { format: undefined, tools: { function: new Map(), custom: tools.custom } };
}

type GrammarFields = Pick<ChatCompletionCreateParams, 'response_format' | 'tools' | 'tool_choice'>;

/**
 * Compiles what the texts of a reply have to be, in steps: a large schema takes longer than other requests should wait. Undefined if they may be
 * anything, or the engine relays them as they are.
 *
 * @throws a 400 that names what cannot be enforced.
 */
export async function compileOutputGrammars(
  { response_format: format, tools, tool_choice: toolChoice }: GrammarFields,
  { capabilities }: ChatModel,
  cache: GrammarCache,
): Promise<OutputGrammars | undefined> {
  if (capabilities.structured_outputs === 'off') return undefined;
  const ofFormat = format ? formatGrammar(format) : undefined;
  const emulated = emulatesCustomTools(capabilities) ? (tools ?? []).flatMap(emulatingFunction) : [];
  const ofTools = toolChoice === 'none' ? [] : [...(tools ?? []), ...emulated].flatMap(enforcedToolGrammar);
  const emulatedNames = new Set(emulated.map(toolName));
  if (!ofFormat && ofTools.length === 0) return undefined;
  const grammars = cache.forRequest();
  const compiled = { function: new Map<string, OutputGrammar>(), custom: new Map<string, OutputGrammar>() };
  for (const { kind, name, origin } of ofTools) {
    const allowsOtherText = kind === 'function' && emulatedNames.has(name);
    const grammar = await compile(origin, grammars, capabilities, allowsOtherText);
    if (grammar) compiled[kind].set(name, grammar);
  }
  return { format: ofFormat && (await compile(ofFormat, grammars, capabilities, false)), tools: compiled };
}

/** Functions that are not strict may be called with any arguments. */
function enforcedToolGrammar(
  tool: ChatCompletionTool,
  index: number,
): { readonly kind: ToolKind; readonly name: string; readonly origin: RequestGrammar }[] {
  if (tool.type === 'function' && tool.function.strict !== true) return [];
  const origin = toolGrammar(tool, index);
  return origin ? [{ kind: tool.type, name: toolName(tool), origin }] : [];
}

/** The function that a custom tool becomes. Arguments that begin like those of a function have to be right. */
function emulatingFunction(tool: ChatCompletionTool): ChatCompletionTool[] {
  const emulated = tool.type === 'custom' ? toolAsFunction(tool) : tool;
  if (tool.type === 'function' || emulated.type === 'custom') return [];
  return [{ type: 'function', function: { ...emulated.function, strict: true } }];
}

/** Undefined for a schema that only the engine can enforce. */
async function compile(
  origin: RequestGrammar,
  grammars: GrammarSteps,
  capabilities: ChatCapabilities,
  allowsOtherText: boolean,
): Promise<OutputGrammar | undefined> {
  const isRepaired = capabilities.structured_outputs === 'guaranteed' || !isForwarded(origin, capabilities);
  try {
    const { value: documents } = await runInTimeSlices(enforceable(origin, grammars));
    return { ...documents, isRepaired, allowsOtherText };
  } catch (error) {
    const isLoose = origin.source.type === 'json_schema' && !origin.source.strict;
    if (!isRepaired && isLoose && error instanceof RequestError) return undefined;
    throw error;
  }
}

/** Whether the engine receives the grammar. */
function isForwarded({ source, path }: RequestGrammar, capabilities: ChatCapabilities): boolean {
  if (source.type === 'lark' || source.type === 'regex') return engineGrammars(capabilities).includes(source.type);
  return path[0] === 'tools' || capabilities.response_formats.includes(source.type);
}

/** @throws a 400 that names what cannot be enforced. */
function* enforceable(origin: RequestGrammar, grammars: GrammarSteps): Steps<DocumentGrammar> {
  try {
    return yield* documentsOf(origin, grammars);
  } catch (error) {
    throw error instanceof GrammarError ? invalidField(grammarProblem(origin, error)) : error;
  }
}

function* documentsOf({ source }: RequestGrammar, grammars: GrammarSteps): Steps<DocumentGrammar> {
  if (source.type === 'json_object') {
    const grammar = yield* grammars.jsonSchema({ type: 'object' }, anyWriter);
    return jsonDocuments(grammar.start(), 'one JSON object', false);
  }
  if (source.type !== 'json_schema') {
    const grammar = yield* grammars.text(source.type, source.definition);
    const { type: syntax, definition } = source;
    return textDocuments(grammar.start(), `the input and nothing else. ${grammarInstruction({ syntax, definition })}`);
  }
  const { schema, strict } = source;
  const grammar = yield* grammars.jsonSchema(schema, {
    ...anyWriter,
    strict,
    unspecified: strict ? 'reject' : 'allow',
  });
  const description = `JSON that matches this JSON Schema: ${JSON.stringify(schema)}`;
  return jsonDocuments(grammar.start(), description, isBeforeDraft6(schema));
}

/** Documents are compared in compact form, whatever their whitespace. */
const anyWriter = { propertyOrder: 'any', unspecified: 'allow', longIntegers: true } as const;

/** Returns what is wrong with a text that should be a document; undefined if it is valid. */
export type JsonShape = (text: string) => string | undefined;

/** Compiles a response format. Undefined for text. @throws a 400 that names the part of the schema that cannot be enforced. */
export function formatShape(format: ResponseFormat): JsonShape | undefined {
  const origin = formatGrammar(format);
  if (!origin) return undefined;
  return shapeOf(runSteps(enforceable(origin, createGrammarCache().forRequest())));
}

/** Compiles what whole texts have to be, in steps. @throws a 400 that names what cannot be enforced. */
export async function compileTextShape(origin: RequestGrammar, cache: GrammarCache): Promise<JsonShape> {
  return shapeOf((await runInTimeSlices(enforceable(origin, cache.forRequest()))).value);
}

function shapeOf(documents: DocumentGrammar): JsonShape {
  return (text) => {
    const reader = documents.read();
    reader.write(text);
    return reader.end() === 'unchanged' ? undefined : (reader.rejection?.reason ?? 'it has text around the document');
  };
}

/** In these drafts, 1.0 is no integer. */
function isBeforeDraft6(schema: unknown): boolean {
  return isRecord(schema) && typeof schema['$schema'] === 'string' && /draft-0[34]/.test(schema['$schema']);
}
