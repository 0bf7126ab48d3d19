import { randomUUID } from 'node:crypto';
import { isRecord, parseJson, withInstruction } from '@modelwire/adapter-kit';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { ChatCompletionMessageParam, FinishReason, FunctionDefinition } from '@modelwire/schema/types';

type Schema = Readonly<Record<string, unknown>>;

/** A required tool call, requested as a reply in a JSON Schema. For servers that enforce schemas and ignore `tool_choice`. */
export interface ForcedToolCall {
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly schema: Schema;
  /** The function to call if there is only one: the reply then consists of its arguments alone. */
  readonly onlyFunction: string | undefined;
}

/** The tool call that a request requires with the `tool_choice` `required` or a named function. Undefined for other requests. */
export function forcedToolCall({ tools, tool_choice, messages }: ChatRequest): ForcedToolCall | undefined {
  const requiredName =
    typeof tool_choice === 'object' && tool_choice.type === 'function' ? tool_choice.function.name : null;
  if (tool_choice !== 'required' && requiredName === null) return undefined;
  const functions = tools.flatMap((tool) =>
    tool.type === 'function' && (requiredName === null || tool.function.name === requiredName) ? [tool.function] : [],
  );
  const [first] = functions;
  if (!first) return undefined;
  const onlyFunction = functions.length === 1 ? first.name : undefined;
  const definitions = functions.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const instruction =
    onlyFunction === undefined
      ? `Call one of these functions: ${JSON.stringify(definitions)}\nAnswer with JSON and nothing else: {"name": the name of the function, "arguments": its arguments}`
      : `Call this function: ${JSON.stringify(definitions[0])}\nAnswer with its arguments as JSON and nothing else.`;
  return {
    messages: withInstruction(messages, instruction),
    schema: onlyFunction === undefined ? callSchema(functions) : parametersSchema(first),
    onlyFunction,
  };
}

/** A function without `parameters` has none. */
function parametersSchema({ parameters }: FunctionDefinition): Schema {
  return parameters ?? { type: 'object', properties: {}, additionalProperties: false };
}

/** References of each function's schema point into its own definition, because their root moves. */
function callSchema(functions: readonly FunctionDefinition[]): Schema {
  const definitions = functions.map((definition, index) => {
    return [`call_${index}`, rebaseReferences(parametersSchema(definition), `#/$defs/call_${index}`)] as const;
  });
  return {
    $defs: Object.fromEntries(definitions),
    anyOf: functions.map(({ name }, index) => ({
      type: 'object',
      properties: { name: { const: name }, arguments: { $ref: `#/$defs/call_${index}` } },
      required: ['name', 'arguments'],
      additionalProperties: false,
    })),
  };
}

function rebaseReferences(schema: unknown, root: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => rebaseReferences(item, root));
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    const isReference = key === '$ref' && typeof value === 'string' && value.startsWith('#');
    return [key, isReference ? `${root}${value.slice(1)}` : rebaseReferences(value, root)];
  });
  return Object.fromEntries(entries);
}

/**
 * Converts the events of a reply in the schema of a `ForcedToolCall` to the events of a tool call. Arguments are streamed as they arrive.
 *
 * @param createError Creates the error for a reply that is not JSON, of a server that did not enforce the schema.
 */
export async function* toolCallEvents(
  batches: AsyncIterable<readonly ChatEvent[]>,
  { onlyFunction }: ForcedToolCall,
  createError: () => Error,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const readers = new Map<number, ToolCallReader>();
  for await (const batch of batches) {
    const events: ChatEvent[] = [];
    for (const event of batch) {
      if (event.type !== 'text' && event.type !== 'finish') {
        events.push(event);
        continue;
      }
      let reader = readers.get(event.choice);
      if (!reader) readers.set(event.choice, (reader = new ToolCallReader(event.choice, onlyFunction, createError)));
      if (event.type === 'text') reader.read(event.text, event.tokens ?? 1, events);
      else reader.finish(event.reason, events);
    }
    if (events.length > 0) yield events;
  }
}

/** The beginning of a reply that names its function: the schema fixes the order of the properties. */
const callPrefix = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*/;

class ToolCallReader {
  /** Text that has not been sent yet: the start with the name, then a brace that may be the end of the outer object. */
  #buffer = '';
  #arguments = '';
  #hasStarted = false;
  readonly #choice: number;
  readonly #onlyFunction: string | undefined;
  readonly #createError: () => Error;

  constructor(choice: number, onlyFunction: string | undefined, createError: () => Error) {
    this.#choice = choice;
    this.#onlyFunction = onlyFunction;
    this.#createError = createError;
  }

  read(text: string, tokens: number, events: ChatEvent[]): void {
    this.#buffer += text;
    if (!this.#hasStarted && !this.#start(events)) return;
    const end = this.#onlyFunction === undefined ? this.#buffer.lastIndexOf('}') : -1;
    const sendable = end === -1 ? this.#buffer : this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(sendable.length);
    this.#send(sendable, tokens, events);
  }

  finish(reason: FinishReason, events: ChatEvent[]): void {
    if (reason !== 'stop') {
      events.push({ type: 'finish', choice: this.#choice, reason });
      return;
    }
    if (!this.#hasStarted || !isRecord(parseJson(this.#arguments))) throw this.#createError();
    events.push({ type: 'finish', choice: this.#choice, reason: 'tool_calls' });
  }

  /** False until the name of the function is complete. */
  #start(events: ChatEvent[]): boolean {
    const trimmed = this.#buffer.trimStart();
    if (trimmed === '') return false;
    if (!trimmed.startsWith('{')) throw this.#createError();
    let name: unknown = this.#onlyFunction;
    if (this.#onlyFunction === undefined) {
      const match = callPrefix.exec(this.#buffer);
      if (!match) return false;
      name = parseJson(match[1] ?? '');
      this.#buffer = this.#buffer.slice(match[0].length);
    } else this.#buffer = trimmed;
    if (typeof name !== 'string') throw this.#createError();
    this.#hasStarted = true;
    const id = `call_${randomUUID().replaceAll('-', '')}`;
    events.push({ type: 'tool_call', choice: this.#choice, index: 0, id, kind: 'function', name });
    return true;
  }

  #send(text: string, tokens: number, events: ChatEvent[]): void {
    if (text === '') return;
    this.#arguments += text;
    events.push({ type: 'tool_input', choice: this.#choice, index: 0, kind: 'function', text, tokens });
  }
}
