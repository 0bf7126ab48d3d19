import type OpenAI from 'openai';
import type { More, MinimalRequest } from './minimal-upstream.ts';
import type { TestServer } from './test-server.ts';

export interface RowContext extends Pick<TestServer, 'client' | 'url' | 'stores'> {
  readonly model: string;
  /** What reached the upstream. */
  readonly sent: readonly MinimalRequest[];
}

/** Shows what a row of the table does. */
export type Row = (asking: RowContext) => Promise<void>;

/** Nothing is drawn by chance, unless a row says so. */
export async function ask(
  { client, model }: RowContext,
  more: More,
  content = 'Hello',
): Promise<OpenAI.ChatCompletion> {
  return client.chat.completions.create({ model, messages: [{ role: 'user', content }], temperature: 0, ...more });
}

export async function textOf(asking: RowContext, more: More, content?: string): Promise<string> {
  return (await ask(asking, more, content)).choices[0]?.message.content ?? '';
}
