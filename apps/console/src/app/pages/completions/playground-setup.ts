import { emptySetup } from '../playground/setup.ts';
import type { Setup } from '../playground/setup.ts';
import type { StoredRequest } from './stored-request.ts';

/**
 * The set-up with which the playground sends the parameters of a stored request. Parameters without a form field become
 * `otherParameters`. Metadata is omitted, since a rerun is not stored by default.
 */
export function toPlaygroundSetup(request: StoredRequest): Omit<Setup, 'system'> {
  const { system: _system, ...defaults } = emptySetup;
  const { model, messages: _messages, store: _store, metadata: _metadata, ...parameters } = request;
  const { temperature, top_p, max_completion_tokens, seed, reasoning_effort, logprobs, tools, ...rest } = parameters;
  const { stop, response_format, ...others } = rest;
  const schema = strictSchema(response_format);
  const singleStop = singleText(stop);
  const otherParameters = {
    ...(stop !== undefined && singleStop === undefined && { stop }),
    ...(response_format !== undefined && schema === undefined && { response_format }),
    ...others,
  };
  return {
    ...defaults,
    models: [model],
    temperature: fieldText(temperature),
    topP: fieldText(top_p),
    maxTokens: fieldText(max_completion_tokens),
    seed: fieldText(seed),
    reasoningEffort: fieldText(reasoning_effort),
    logprobs: logprobs === true,
    tools: jsonText(tools),
    stop: singleStop ?? '',
    schema: jsonText(schema),
    otherParameters: Object.keys(otherParameters).length > 0 ? jsonText(otherParameters) : '',
  };
}

function fieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** The schema of a response format that the playground can send: strict, without a description. */
function strictSchema(format: unknown): unknown {
  if (!isRecord(format) || format['type'] !== 'json_schema' || !isRecord(format['json_schema'])) return undefined;
  const { schema, strict, description } = format['json_schema'];
  return strict === true && !description ? schema : undefined;
}

/** The text if the value is a text or a list with one text. */
function singleText(value: unknown): string | undefined {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
