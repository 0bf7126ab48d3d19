import type { ChatCompletionMessageParam, ChatStreamParams } from '@modelwire/client';
import type { Setup } from './setup.ts';
import { replaceInMessage, replaceVariables } from './variables.ts';

/** A field of the set-up is invalid. `field` is its label on the page. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}

/** The request of a set-up and a conversation. Throws a `SetupError` that names the field. */
export function buildRequest(
  setup: Setup,
  model: string,
  messages: readonly ChatCompletionMessageParam[],
): ChatStreamParams {
  if (model === '') throw new SetupError('Model', 'choose a model.');
  const system: readonly ChatCompletionMessageParam[] =
    setup.system.trim() === '' ? [] : [{ role: 'system', content: replaceVariables(setup.system, setup.variables) }];
  const optional = {
    temperature: readNumber('Temperature', setup.temperature),
    top_p: readNumber('Top P', setup.topP),
    max_completion_tokens: readInteger('Maximum tokens', setup.maxTokens),
    seed: readInteger('Seed', setup.seed),
    stop: setup.stop === '' ? undefined : setup.stop,
    reasoning_effort: setup.reasoningEffort === '' ? undefined : setup.reasoningEffort,
    tools: readTools(setup.tools),
    response_format: readSchema(setup.schema),
    ...(setup.logprobs && { logprobs: true, top_logprobs: 5 }),
    ...(setup.store && { store: true }),
  };
  const parameters = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    ...parameters,
    ...readOtherParameters(setup.otherParameters),
    model,
    messages: [...system, ...messages.map((message) => replaceInMessage(message, setup.variables))],
  };
}

function readNumber(field: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SetupError(field, `${JSON.stringify(text)} is not a number.`);
  return value;
}

function readInteger(field: string, text: string): number | undefined {
  const value = readNumber(field, text);
  if (value !== undefined && !Number.isSafeInteger(value)) throw new SetupError(field, `${text} is not an integer.`);
  return value;
}

function readJson(field: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SetupError(field, `invalid JSON. ${error instanceof Error ? error.message : ''}`);
  }
}

/** Checks only that the tools are an array: the server validates them and returns a better message. */
function readTools(text: string): ChatStreamParams['tools'] {
  const value = readJson('Tools', text);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new SetupError('Tools', 'must be a JSON array of tools.');
  const tools: NonNullable<ChatStreamParams['tools']> = value;
  return tools;
}

function readSchema(text: string): ChatStreamParams['response_format'] {
  const schema = readJsonObject('Output schema', text);
  return schema && { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } };
}

/** Parameters that the page sets. */
const reservedParameters = ['model', 'messages', 'stream', 'stream_options', 'store'];

/** Parameters without a form field. They take precedence over form fields. */
function readOtherParameters(text: string): Record<string, unknown> {
  const parameters = readJsonObject('Other parameters', text) ?? {};
  const name = reservedParameters.find((reserved) => reserved in parameters);
  if (name !== undefined) throw new SetupError('Other parameters', `${name} is set by the page. Remove it.`);
  return parameters;
}

/** The object of a field; `undefined` if the field is empty. Throws a `SetupError` that names the field. */
export function readJsonObject(field: string, text: string): Record<string, unknown> | undefined {
  const value = readJson(field, text);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SetupError(field, 'must be a JSON object.');
  }
  return { ...value };
}
