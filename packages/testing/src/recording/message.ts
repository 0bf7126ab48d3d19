import { createHash } from 'node:crypto';
import type { LazyTestRequest, RecordedResponse } from './cassette.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** The response headers that are relevant for clients. */
const recordedHeaders = /^(?:content-type|retry-after(?:-ms)?|x-ratelimit-.*|location|x-should-retry)$/;

/** Reads a whole body. */
export async function bytesOf(body: Request | Response): Promise<Bytes> {
  return new Uint8Array(await body.arrayBuffer());
}

/** A request in the form in which it is recorded and compared. */
export async function recordedRequest(request: Request, bytes: Bytes, redact: Redact) {
  const { pathname, search } = new URL(request.url);
  const recorded: LazyTestRequest = { method: request.method, path: redact(pathname + search) };
  if (bytes.length === 0) return recorded;
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    return {
      ...recorded,
      body: await recordedForm(new Response(bytes, { headers: { 'content-type': type } }), redact),
    };
  }
  const text = redact(new TextDecoder().decode(bytes));
  return { ...recorded, body: jsonOr(text) };
}

async function recordedForm(form: Response, redact: Redact): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of await form.formData()) {
    if (typeof value === 'string') fields.set(name, redact(value));
    else {
      const bytes = await value.bytes();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      fields.set(name, { filename: value.name, type: value.type, bytes: bytes.length, sha256 });
    }
  }
  return Object.fromEntries(fields);
}

/** A response in the form in which it is recorded, as readable as possible. */
export function recordedResponse(response: Response, bytes: Uint8Array, redact: Redact): RecordedResponse {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => recordedHeaders.test(name)));
  const recorded = { status: response.status, headers };
  if (bytes.length === 0) return recorded;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    const text = redact(new TextDecoder().decode(bytes));
    const events = eventsOf(text);
    return events ? { ...recorded, events } : { ...recorded, text };
  }
  if (!/json|^text\//.test(type)) return { ...recorded, base64: Buffer.from(bytes).toString('base64') };
  const text = redact(new TextDecoder().decode(bytes));
  if (!type.includes('json')) return { ...recorded, text };
  const json = jsonOr(text);
  return json === text ? { ...recorded, text } : { ...recorded, json };
}

/** The payloads of a stream; undefined if it contains anything else. */
function eventsOf(text: string): unknown[] | undefined {
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  const payloads = frames.map((frame) => (/^data: [^\n]*$/.test(frame) ? frame.slice(6) : undefined));
  return payloads.every((payload) => payload !== undefined) ? payloads.map(jsonOr) : undefined;
}

/** The recorded response. */
export function replayedResponse({ status, headers, json, events, text, base64 }: RecordedResponse): Response {
  return new Response(bodyOf({ json, events, text, base64 }), { status, headers });
}

function bodyOf({
  json,
  events,
  text,
  base64,
}: Pick<RecordedResponse, 'json' | 'events' | 'text' | 'base64'>): string | Uint8Array<ArrayBuffer> | null {
  if (json !== undefined) return JSON.stringify(json);
  if (events)
    return events
      .map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`)
      .join('');
  return text ?? (base64 === undefined ? null : Uint8Array.from(Buffer.from(base64, 'base64')));
}

function jsonOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
