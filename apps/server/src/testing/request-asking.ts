import type OpenAI from 'openai';
import type { More, PlainAsked } from './plain-upstream.ts';
import type { Served } from './serve.ts';

export interface Asking extends Pick<Served, 'client' | 'url' | 'stores'> {
  readonly model: string;
  /** What reached the upstream. */
  readonly sent: readonly PlainAsked[];
}

/** Shows what a row of the table does. */
export type Row = (asking: Asking) => Promise<void>;

/** Nothing is drawn by chance, unless a row says so. */
export async function ask({ client, model }: Asking, more: More, content = 'Hello'): Promise<OpenAI.ChatCompletion> {
  return client.chat.completions.create({ model, messages: [{ role: 'user', content }], temperature: 0, ...more });
}

export async function textOf(asking: Asking, more: More, content?: string): Promise<string> {
  return (await ask(asking, more, content)).choices[0]?.message.content ?? '';
}
