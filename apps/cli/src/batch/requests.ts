import type { BatchEndpoint } from '@modelwire/client';
import { usageError } from '../cli-error.ts';
import { isRecord, parseJson, readJsonObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { fillTemplate, hasPlaceholders, variablesOf } from './template.ts';

/** One request in the input file of a batch. */
export interface Request {
  readonly custom_id: string;
  readonly body: JsonObject;
}

export interface TemplateOptions {
  readonly endpoint: BatchEndpoint;
  readonly template?: string | undefined;
  readonly prompt?: string | undefined;
  readonly system?: string | undefined;
  readonly model?: string | undefined;
  readonly cwd: string;
}

/** The request body with placeholders that each line fills. */
export async function readTemplate(options: TemplateOptions): Promise<JsonObject> {
  const { endpoint, template, prompt, system, model, cwd } = options;
  if (template !== undefined && prompt !== undefined)
    throw usageError('Options --template and --prompt cannot be combined.');
  const body =
    template === undefined
      ? bodyOf(endpoint, prompt ?? '{{line}}', system)
      : await readJsonObject('--template', template, cwd);
  if (!hasPlaceholders(body)) {
    const flag = template === undefined ? '--prompt' : '--template';
    throw usageError(`Option ${flag} does not contain {{line}}: all requests would be the same.`);
  }
  return { ...(model !== undefined && { model }), ...body };
}

function bodyOf(endpoint: BatchEndpoint, text: string, system: string | undefined): JsonObject {
  if (endpoint === '/v1/moderations' || endpoint === '/v1/embeddings') return { input: text };
  if (endpoint === '/v1/completions' || endpoint === '/v1/videos') return { prompt: text };
  if (endpoint === '/v1/responses') return { ...(system !== undefined && { instructions: system }), input: text };
  const systemMessages = system === undefined ? [] : [{ role: 'system', content: system }];
  return { messages: [...systemMessages, { role: 'user', content: text }] };
}

/** The lines that are not empty, with their numbers. */
async function* numbered(lines: AsyncIterable<string>): AsyncGenerator<readonly [line: string, n: number], void> {
  let n = 0;
  for await (const line of lines) {
    n++;
    if (line.trim() !== '') yield [line, n];
  }
}

/** One request for each line. Empty lines are skipped. */
export async function* requestsOf(
  lines: AsyncIterable<string>,
  template: JsonObject,
): AsyncGenerator<Request, void, undefined> {
  for await (const [line, n] of numbered(lines)) {
    const variables = variablesOf(line, n);
    const body = fillTemplate(template, variables);
    const customId = variables['custom_id'];
    if (isRecord(body))
      yield { custom_id: typeof customId === 'string' && customId !== '' ? customId : `line-${n}`, body };
  }
}

/** What the lines of an input contain, detected from the first: complete requests, request bodies, or text for a template. */
export type InputKind = 'requests' | 'bodies' | 'text';

export function detectInput(line: string): { readonly kind: InputKind; readonly endpoint?: string } {
  const value = parseJson(line);
  if (!isRecord(value)) return { kind: 'text' };
  const { custom_id, body, url } = value;
  if (typeof custom_id === 'string' && isRecord(body)) {
    return { kind: 'requests', ...(typeof url === 'string' && { endpoint: url }) };
  }
  return { kind: 'messages' in value || 'input' in value || 'prompt' in value ? 'bodies' : 'text' };
}

/** One request for each line that contains a request body. */
export async function* bodiesOf(
  lines: AsyncIterable<string>,
  model: string | undefined,
): AsyncGenerator<Request, void, undefined> {
  for await (const [line, n] of numbered(lines)) {
    const body = parseJson(line);
    if (body === undefined) throw usageError(`Line ${n} is not valid JSON.`);
    if (!isRecord(body)) throw usageError(`Line ${n} is not a JSON object.`);
    yield { custom_id: `line-${n}`, body: { ...(model !== undefined && { model }), ...body } };
  }
}
