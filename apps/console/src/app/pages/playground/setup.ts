import type { ChatCompletionMessageParam } from '@modelwire/client';
import type { Variables } from './variables.ts';

/** The settings of the playground: models, instructions and parameters. Parameters are values of form fields; empty ones are not sent. */
export interface Setup {
  /** One model, or two side by side. */
  readonly models: readonly string[];
  readonly system: string;
  /** Values for `{{name}}` in the system prompt and in messages. */
  readonly variables: Variables;
  readonly temperature: string;
  readonly topP: string;
  readonly maxTokens: string;
  readonly seed: string;
  readonly stop: string;
  readonly reasoningEffort: string;
  /** A JSON array of tools. */
  readonly tools: string;
  /** A JSON schema of the reply. */
  readonly schema: string;
  /** A JSON object with other parameters of the request. */
  readonly otherParameters: string;
  readonly store: boolean;
  readonly logprobs: boolean;
}

export const emptySetup: Setup = {
  models: [],
  system: '',
  variables: {},
  temperature: '',
  topP: '',
  maxTokens: '',
  seed: '',
  stop: '',
  reasoningEffort: '',
  tools: '',
  schema: '',
  otherParameters: '',
  store: false,
  logprobs: false,
};

/** A set-up with the messages of its conversation, as passed by links and other pages. */
export interface SharedSetup {
  readonly setup: Setup;
  readonly messages: readonly ChatCompletionMessageParam[];
}

/** Encodes a set-up for the fragment of a link, which browsers do not send to servers. */
export function encodeSetup(shared: SharedSetup): string {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes the result of `encodeSetup`. Fields with an unexpected type get their defaults. Returns `undefined` if it cannot be decoded. */
export function decodeSetup(text: string): SharedSetup | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return readShared(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Reads a set-up with messages from a parsed JSON value; `undefined` if the value is not an object. */
export function readShared(value: unknown): SharedSetup | undefined {
  if (!isRecord(value)) return undefined;
  const { setup, messages } = value;
  return { setup: readSetup(setup), messages: Array.isArray(messages) ? messages.filter(isMessage) : [] };
}

/** Reads a set-up from a parsed JSON value. Missing fields get their defaults. */
export function readSetup(value: unknown): Setup {
  const fields = isRecord(value) ? value : {};
  const text = (name: keyof Setup): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const models = Array.isArray(fields['models']) ? fields['models'].filter((model) => typeof model === 'string') : [];
  return {
    models: models.slice(0, 2),
    system: text('system'),
    variables: readVariables(fields['variables']),
    temperature: text('temperature'),
    topP: text('topP'),
    maxTokens: text('maxTokens'),
    seed: text('seed'),
    stop: text('stop'),
    reasoningEffort: text('reasoningEffort'),
    tools: text('tools'),
    schema: text('schema'),
    otherParameters: text('otherParameters'),
    store: fields['store'] === true,
    logprobs: fields['logprobs'] === true,
  };
}

function readVariables(value: unknown): Variables {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(isTextEntry)) : {};
}

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

const roles = ['user', 'assistant', 'tool'];

function isMessage(value: unknown): value is ChatCompletionMessageParam {
  return isRecord(value) && typeof value['role'] === 'string' && roles.includes(value['role']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
