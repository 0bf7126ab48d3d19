import type OpenAI from 'openai';
import type { More, MinimalRequest } from './minimal-upstream.ts';
import type { TestServer } from './test-server.ts';

export interface RowContext extends Pick<TestServer, 'client' | 'url' | 'stores'> {
  readonly model: string;
  /** The requests that the upstream received. */
  readonly sent: readonly MinimalRequest[];
}

/** Tests one row of the table. */
export type Row = (context: RowContext) => Promise<void>;

/** Sends a request with temperature 0 unless a row sets it. */
export async function ask(
  { client, model }: RowContext,
  more: More,
  content = 'Hello',
): Promise<OpenAI.ChatCompletion> {
  return client.chat.completions.create({ model, messages: [{ role: 'user', content }], temperature: 0, ...more });
}

export async function textOf(context: RowContext, more: More, content?: string): Promise<string> {
  return (await ask(context, more, content)).choices[0]?.message.content ?? '';
}
