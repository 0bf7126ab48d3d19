import { request } from 'node:http';
import { json } from 'node:stream/consumers';

export interface SeparateReply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request on a connection of its own, which a server of several workers gives to the next of them. */
export function sendSeparately(
  url: string,
  { key, method = 'POST', body }: { readonly key: string; readonly method?: string; readonly body?: object },
): Promise<SeparateReply> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(url, { method, headers, agent: false }, (response) => {
      json(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
