import { expect } from 'vitest';
import { key } from './test-server.ts';
import type { ApiDocument, MediaType, Operation } from './api-document.ts';

/** What to send to an operation of the document. */
export interface DocumentedRequest {
  /** Values of path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A JSON value, or a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DocumentedAnswer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export type SendDocumented = (operationId: string, request?: DocumentedRequest) => Promise<DocumentedAnswer>;

/**
 * Sends requests to a server and expects each response to be one that the document describes: status, media type, headers, the
 * schema of the body or of each chunk, and the code of an error.
 */
export function documentedRequests(url: string, document: ApiDocument): SendDocumented {
  return async (operationId, { params = {}, query = {}, body, headers = {} } = {}) => {
    const operation = document.operations.get(operationId);
    if (!operation) throw new Error(`The document has no operation '${operationId}'.`);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
      method: operation.method.toUpperCase(),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const about = `${operationId} ${response.status} ${text.slice(0, 300)}`;
    if (response.ok && body !== undefined) {
      const type = isForm ? 'multipart/form-data' : 'application/json';
      const value = isForm ? formValue(body, operation.requestBody?.content[type]) : body;
      expectDescribed(document, operation, ['requestBody'], value, about, [type, 'schema']);
    }
    const json = expectDocumented(document, operation, { response, text, about });
    return { status: response.status, json, text };
  };
}

/**
 * A form in the representation of the schema of its media type: files as strings, and `name[key]` as an object for the fields that the document
 * encodes as `deepObject`.
 */
function formValue(form: FormData, media: MediaType | undefined): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  const objects = new Map<string, Record<string, string>>();
  for (const [name, entry] of form) {
    const text = typeof entry === 'string' ? entry : entry.name;
    const [, outer = '', key = ''] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (media?.encoding?.[outer]?.style !== 'deepObject') value[name] = text;
    else objects.set(outer, { ...objects.get(outer), [key]: text });
  }
  for (const [name, fields] of objects) {
    // All values of a form are strings. Those that the schema does not accept as strings are numbers.
    value[name] = Object.fromEntries(
      Object.entries(fields).map(([key, text]) => [key, /^\d+$/.test(text) ? Number(text) : text]),
    );
  }
  return value;
}

/** Where the schema of an event has that of its data, in a stream that ends with `[DONE]` and in one that ends with an event. */
const chunk = ['properties', 'data', 'anyOf', '1', 'contentSchema'];
const lastEvents = new Map([['{"type":"message_stop"}', ['properties', 'data', 'contentSchema']]]);

interface Received {
  readonly response: Response;
  readonly text: string;
  readonly about: string;
}

function expectDocumented(
  document: ApiDocument,
  operation: Operation,
  { response, text, about }: Received,
): Readonly<Record<string, unknown>> {
  const status = String(response.status);
  const documented = operation.responses[status];
  expect(documented, about).toBeDefined();
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const content = documented?.content ?? {};
  expect([...Object.keys(content), ...('*/*' in content ? [type] : [])], about).toContain(type);
  expect(response.headers.get('x-request-id'), about).toMatch(/^req_/);
  const place = ['responses', status];
  if (type === 'text/event-stream') {
    const events = text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => event.replace(/^(?:(?:event|id): .*\n)?data: /, ''));
    const last = events.pop() ?? '';
    const data = lastEvents.get(last) ?? chunk;
    if (data === chunk) expect(last, about).toBe('[DONE]');
    for (const event of events)
      expectDescribed(document, operation, place, JSON.parse(event), about, [type, 'schema', ...data]);
    return {};
  }
  if (type !== 'application/json' || '*/*' in content) return {};
  const json = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expectDescribed(document, operation, place, json, about);
  if (!response.ok) expectKnownCode(documented?.description ?? '', json, about);
  return json;
}

function expectDescribed(
  document: ApiDocument,
  { path, method }: Operation,
  place: readonly string[],
  value: unknown,
  about: string,
  within: readonly string[] = ['application/json', 'schema'],
): void {
  expect(document.mismatch(['paths', path, method, ...place, 'content', ...within], value), about).toBeUndefined();
}

interface ErrorOfDialect {
  readonly code: string | null;
  /** Of the Messages API. */
  readonly details?: { readonly error_code: string | null };
}

function expectKnownCode(description: string, json: Readonly<Record<string, unknown>>, about: string): void {
  const error = json['error'] as ErrorOfDialect;
  const code = error.details ? error.details.error_code : error.code;
  if (code !== null) expect(description, about).toContain(`\`${code}\``);
}
