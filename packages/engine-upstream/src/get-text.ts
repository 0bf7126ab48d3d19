import { readAtMost } from '@modelwire/adapter-kit/internal';
import { Agent, interceptors, request } from 'undici/index.js';
import type { Dispatcher } from 'undici';

/** A reply to a GET request. */
export interface TextReply {
  readonly status: number;
  /** Names are lower-case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body; empty for a status other than 2xx. */
  readonly text: string;
}

export interface GetTextInit {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/**
 * Requests a small text from a server. Redirects are not followed, because keys in the headers are meant for this server only.
 *
 * @throws the error that prevented a reply, or an Error if the reply has more than `maxBytes`.
 */
export type GetText = (url: string, init: GetTextInit) => Promise<TextReply>;

/** For requests that are not those of a chat: to any server, of which some compress replies although that was not requested. */
export const dispatcher: Dispatcher = new Agent({ allowH2: false }).compose(interceptors.decompress());

export const getText: GetText = async (url, { headers = {}, signal, maxBytes }) => {
  const { statusCode, headers: replyHeaders, body } = await request(url, { headers, signal, dispatcher });
  const reply = { status: statusCode, headers: replyHeaders };
  if (statusCode < 200 || statusCode >= 300) {
    await body.dump();
    return { ...reply, text: '' };
  }
  const bytes = await readAtMost(body, maxBytes, () => new Error(`more than ${maxBytes} bytes`));
  return { ...reply, text: new TextDecoder().decode(bytes) };
};
