import type { Path } from '../parsing/path.ts';
import { problem } from '../parsing/problem.ts';
import type { ChatCompletionTool, Problem, ResponseFormat } from '../types.ts';

/** What a grammar is compiled from. */
export type GrammarSource =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly schema: unknown;
      readonly strict: boolean;
      /** Whether any JSON object is generated if the schema cannot be enforced. */
      readonly orObject: boolean;
    }
  | { readonly type: 'lark' | 'regex'; readonly definition: string };

/** A grammar that a text of the reply must follow. */
export interface RequestGrammar {
  readonly source: GrammarSource;
  /** Its path in the request. */
  readonly path: Path;
  /** What has it, for error messages: for example `function 'get_weather'`. */
  readonly of: string;
}

/** The parameters of a function that declares none. */
const noParameters = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;

/** The grammar of `response_format`; undefined for text. */
export function formatGrammar(format: ResponseFormat): RequestGrammar | undefined {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') {
    return { source: { type: 'json_object' }, path: ['response_format'], of: 'response_format' };
  }
  const { name, schema = true, strict } = format.json_schema;
  return {
    source: { type: 'json_schema', schema, strict: strict === true, orObject: false },
    path: ['response_format', 'json_schema', 'schema'],
    of: `response_format '${name}'`,
  };
}

/**
 * The grammar of the input of `tools[index]`: of a function its parameters, if it is not strict as far as they can be enforced; undefined
 * for a custom tool with free text.
 */
export function toolGrammar(tool: ChatCompletionTool, index: number): RequestGrammar | undefined {
  if (tool.type === 'custom') {
    const { name, format } = tool.custom;
    if (format?.type !== 'grammar') return undefined;
    const { syntax, definition } = format.grammar;
    const path = ['tools', index, 'custom', 'format', 'grammar', 'definition'];
    return { source: { type: syntax, definition }, path, of: `custom tool '${name}'` };
  }
  const { name, strict, parameters = noParameters } = tool.function;
  const isStrict = strict === true;
  const schema = isStrict || 'type' in parameters ? parameters : { ...parameters, type: 'object' };
  return {
    source: { type: 'json_schema', schema, strict: isStrict, orObject: !isStrict },
    path: ['tools', index, 'function', 'parameters'],
    of: `function '${name}'`,
  };
}

/** Why a grammar cannot be enforced: `GrammarError` of `@modelwire/grammar`. */
export interface GrammarFault {
  readonly reason: string;
  /** JSON pointer into the schema, such as `#/properties/name`. */
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The problem of a request with a grammar that cannot be enforced. `param` is the path of the invalid part. */
export function grammarProblem(
  { source, path, of }: RequestGrammar,
  { reason, path: pointer = '', line, column = 1 }: GrammarFault,
): Problem {
  const position = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const isText = source.type === 'lark' || source.type === 'regex';
  const code = isText ? 'invalid_grammar' : 'invalid_json_schema';
  const kind = isText ? 'grammar' : 'schema';
  const schema = source.type === 'json_schema' ? source.schema : undefined;
  return problem(code, [...path, ...pointerPath(pointer, schema)], `Invalid ${kind} for ${of}${position}: ${reason}.`);
}

/** The path of a JSON pointer, with indices for arrays of the schema. */
function pointerPath(pointer: string, schema: unknown): Path {
  let at = schema;
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.map((key) => {
    const isIndex = Array.isArray(at);
    at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
    return isIndex ? Number(key) : key;
  });
}
