import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { State } from '@modelwire/grammar';
import type { Random } from './random.ts';

/** What the upstream replies to the requests of one case. */
export interface Case {
  /** The first reply. */
  readonly first: string;
  /** A right document. */
  readonly document: string;
  /** Where the grammar starts, with any whitespace: the right rest of a prefix follows from it. */
  readonly start: State;
  /** Whether the second reply is the rest or the whole document, where both are right. */
  readonly answersWithRest: boolean;
  readonly random: Random;
}

interface RequestBody {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface Adversary {
  readonly baseURL: string;
  /** The requests for each case. */
  readonly requests: Map<string, number>;
  close(): void;
}

/**
 * An upstream without grammars. The first user message of a request is the name of its case. The first reply to it is invalid, those after it are
 * right. Streams are cut into pieces at any byte, also within characters.
 */
export async function startAdversary(cases: ReadonlyMap<string, Case>): Promise<Adversary> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as RequestBody;
      const name = body.messages.find(({ role }) => role === 'user')?.content ?? '';
      const found = cases.get(name);
      if (!found) throw new Error(`there is no case ${name}`);
      const count = (requests.get(name) ?? 0) + 1;
      requests.set(name, count);
      const text = count === 1 ? found.first : secondReply(body, found);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces(frames(text, found.random), found.random)) {
        if (response.closed) return;
        response.write(piece);
        await setImmediate();
      }
      response.end();
    })().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const beginning = 'It has to begin with exactly this text: ';

function secondReply({ messages }: RequestBody, { document, start, answersWithRest }: Case): string {
  const last = messages.at(-1);
  const instruction = last?.content ?? '';
  const index = instruction.indexOf(beginning);
  const prefix =
    last?.role === 'assistant' ? last.content : index < 0 ? '' : instruction.slice(index + beginning.length);
  if (prefix === '') return document;
  const rest = document.trimStart().startsWith(prefix)
    ? document.trimStart().slice(prefix.length)
    : start.advance(prefix)?.shortestCompletion();
  if (rest === undefined) return document;
  return last?.role === 'assistant' || answersWithRest ? rest : prefix + rest;
}

/** The reply as events. Tokens end within characters of two code units, too. */
function frames(text: string, random: Random): Buffer {
  const events: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + 1 + random.below(8);
    events.push(
      JSON.stringify({ choices: [{ index: 0, delta: { content: text.slice(start, end) }, finish_reason: null }] }),
    );
    start = end;
  }
  events.push(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }), '[DONE]');
  return Buffer.from(events.map((event) => `data: ${event}\n\n`).join(''));
}

function* pieces(bytes: Buffer, random: Random): Generator<Buffer> {
  const size = Math.max(64, Math.ceil(bytes.length / 4));
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + random.below(2 * size);
    yield bytes.subarray(start, end);
    start = end;
  }
}
