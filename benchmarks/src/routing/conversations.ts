import OpenAI from 'openai';

export interface Turn {
  /** From 1. */
  readonly number: number;
  readonly firstTokenMs: number;
  readonly upstream: string;
  /** Whether the turn before was at the same upstream. */
  readonly stays: boolean;
}

interface ConversationsInit {
  readonly base: string;
  readonly apiKey: string;
  readonly model: string;
  readonly users: number;
  readonly turns: number;
  readonly maxTokens: number;
  /** Makes the conversations of a run different from those of others, which may be cached. */
  readonly salt: string;
}

/** What each user asks about: a text that no other conversation has, of about 400 tokens. */
function documentOf(salt: string, user: number): string {
  const sentences = Array.from(
    { length: 40 },
    (_, line) => `Record ${salt}-${user}-${line}: ${line * user} crates left.`,
  );
  return sentences.join(' ');
}

/** Users who ask one question after the other, each with the whole conversation so far, all at the same time. */
export async function converse(init: ConversationsInit): Promise<readonly Turn[]> {
  const { base, apiKey, model, users, turns, maxTokens, salt } = init;
  const { chat } = new OpenAI({ baseURL: base, apiKey, maxRetries: 0 });
  const all: Turn[] = [];

  async function user(index: number): Promise<void> {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: `Answer briefly. ${documentOf(salt, index)}` },
    ];
    let before: string | undefined;
    for (let number = 1; number <= turns; number++) {
      messages.push({ role: 'user', content: `Question ${number} of ${salt}-${index}: what is in record ${number}?` });
      const startedAt = performance.now();
      const body = { model, messages, max_tokens: maxTokens, temperature: 0, stream: true } as const;
      const { data, response } = await chat.completions.create(body).withResponse();
      const upstream = response.headers.get('x-modelwire-upstream') ?? '';
      let firstTokenMs = NaN;
      let content = '';
      for await (const { choices } of data) {
        const text = choices[0]?.delta.content;
        if (!text) continue;
        if (content === '') firstTokenMs = performance.now() - startedAt;
        content += text;
      }
      messages.push({ role: 'assistant', content });
      all.push({ number, firstTokenMs, upstream, stays: before === undefined || before === upstream });
      before = upstream;
    }
  }
  await Promise.all(Array.from({ length: users }, (_, index) => user(index)));
  return all;
}
