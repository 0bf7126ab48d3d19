import { createSseDecoder } from '@modelwire/core';
import type { LoadedRequest } from '../load.ts';
import { pieces, reply } from './payload.ts';
import type { Mode } from './payload.ts';

/** Throws if a reply is not the expected one, so that no broken server is measured. Returns the size of its body. */
export async function verify({ url, headers, body }: LoadedRequest, mode: Mode): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${new TextDecoder().decode(bytes).slice(0, 500)}`);
  if (mode === 'stream') checkEvents(bytes);
  else {
    const content = contentOf(JSON.parse(new TextDecoder().decode(bytes)), 'message');
    if (content !== reply) throw new Error(`another reply than asked for: ${JSON.stringify(content)}`);
  }
  return bytes.length;
}

function checkEvents(bytes: Uint8Array): void {
  const events: string[] = [];
  createSseDecoder({ onEvent: ({ data }) => events.push(data) }).push(bytes);
  if (events.pop() !== '[DONE]') throw new Error('the stream does not end in [DONE]');
  const contents = events.map((event) => contentOf(JSON.parse(event), 'delta') ?? '').filter((text) => text !== '');
  if (contents.join('') !== reply) throw new Error(`another reply than asked for: ${JSON.stringify(contents)}`);
  if (contents.length !== pieces.length) throw new Error(`${contents.length} chunks instead of ${pieces.length}`);
}

function contentOf(body: unknown, holder: 'message' | 'delta'): string | undefined {
  const { choices } = body as { choices?: { message?: { content?: string }; delta?: { content?: string } }[] };
  return choices?.[0]?.[holder]?.content;
}
