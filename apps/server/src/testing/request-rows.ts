import { expect } from 'vitest';
import type OpenAI from 'openai';
import { ask, textOf } from './request-row.ts';
import type { Row } from './request-row.ts';
import { plainSpecific, simulatorSpecific } from './request-row-effects.ts';

/** Rows for both servers: the server emulates the field, or every engine supports it. */
const common: Readonly<Record<string, Row>> = {
  async model(asking) {
    expect((await ask(asking, {})).model).toBe(asking.model);
    await expect(ask(asking, { model: 'nobody' })).rejects.toMatchObject({ status: 404, param: 'model' });
  },
  async store(asking) {
    const { id } = await ask(asking, { store: true });
    expect((await asking.client.chat.completions.retrieve(id)).id).toBe(id);
    const unkept = await ask(asking, {});
    await expect(asking.client.chat.completions.retrieve(unkept.id)).rejects.toMatchObject({ status: 404 });
  },
  async metadata(asking) {
    const metadata = { row: `metadata of ${asking.model}` };
    const { id } = await ask(asking, { store: true, metadata });
    const { data } = await asking.client.chat.completions.list({ metadata });
    expect(data.map((kept) => kept.id)).toEqual([id]);
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']));
    await expect(ask(asking, { store: true, metadata: many })).rejects.toMatchObject({ param: 'metadata' });
  },
  async max_tokens(asking) {
    const { choices, usage } = await ask(asking, { max_tokens: 2 });
    expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(['length', 2]);
  },
  async max_completion_tokens(asking) {
    const { choices, usage } = await ask(asking, { max_completion_tokens: 2 });
    expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(['length', 2]);
  },
  async n(asking) {
    const { choices } = await ask(asking, { n: 3 });
    expect(choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual(
      [0, 1, 2].map((at) => [at, 'stop']),
    );
  },
  async modalities(asking) {
    const { choices } = await ask(asking, {
      modalities: ['text', 'audio'],
      audio: { voice: 'coral', format: 'pcm16' },
    });
    const { content, audio } = choices[0]?.message ?? {};
    expect([content, (audio?.transcript ?? '').length > 5]).toEqual([null, true]);
    // At least half a second of audio.
    expect(Buffer.from(audio?.data ?? '', 'base64').length).toBeGreaterThan(24_000);
    await expect(ask(asking, { modalities: ['audio'] })).rejects.toMatchObject({ param: 'audio' });
  },
  async audio(asking) {
    const heads = { wav: 'RIFF', flac: 'fLaC', opus: 'OggS' };
    const ids: string[] = [];
    for (const format of ['wav', 'flac', 'opus', 'mp3', 'pcm16'] as const) {
      const { choices } = await ask(asking, { modalities: ['text', 'audio'], audio: { voice: 'ash', format } });
      const { audio } = choices[0]?.message ?? {};
      const data = Buffer.from(audio?.data ?? '', 'base64');
      if (format === 'mp3') expect((data.readUInt16BE(0) & 0xffe0) >>> 0).toBe(0xffe0);
      else if (format !== 'pcm16') expect(data.subarray(0, 4).toString()).toBe(heads[format]);
      expect((audio?.expires_at ?? 0) * 1000).toBeGreaterThan(Date.now());
      ids.push(audio?.id ?? '');
    }
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', audio: { id: ids[0] ?? '' } },
      { role: 'user', content: 'Again' },
    ];
    expect((await ask(asking, { messages })).choices[0]?.finish_reason).toBe('stop');
    const spoken = messages.with(1, { role: 'assistant', audio: { id: 'audio_none' } });
    await expect(ask(asking, { messages: spoken })).rejects.toMatchObject({ param: 'messages[1].audio.id' });
    const voice = { voice: { id: 'nobody' }, format: 'wav' } as const;
    const unknown = ask(asking, { modalities: ['text', 'audio'], audio: voice });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: 'audio.voice.id' });
  },
  async response_format(asking) {
    const schema = {
      ...{ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      additionalProperties: false,
    };
    const json_schema = { name: 'place', strict: true, schema };
    const text = await textOf(asking, { response_format: { type: 'json_schema', json_schema } }, 'Name a city.');
    expect(JSON.parse(text)).toEqual({ city: expect.any(String) as string });
  },
  async moderation(asking) {
    const policy = { input: { mode: 'score' as const }, output: { mode: 'block' as const } };
    const { moderation } = await ask(asking, { moderation: { model: 'omni-moderation-latest', policy } });
    const harmless = { type: 'moderation_results', results: [{ type: 'moderation_result', flagged: false }] };
    expect(moderation).toMatchObject({ input: harmless, output: harmless });
  },
  async service_tier(asking) {
    for (const service_tier of ['flex', 'priority', 'default'] as const)
      expect((await ask(asking, { service_tier })).service_tier).toBe(service_tier);
    for (const [service_tier, served] of [
      ['auto', 'default'],
      ['scale', 'default'],
      ['fast', 'priority'],
    ] as const)
      expect((await ask(asking, { service_tier })).service_tier).toBe(served);
  },
  async stream({ client, model }) {
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const chunks = await Array.fromAsync(await client.chat.completions.create({ model, messages, stream: true }));
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBeGreaterThan(1);
  },
  async stream_options({ client, model }) {
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const read = async (stream_options: OpenAI.ChatCompletionStreamOptions) =>
      Array.fromAsync(await client.chat.completions.create({ model, messages, stream: true, stream_options }));
    const told = await read({ include_usage: true, include_obfuscation: false });
    expect(told.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) as number } });
    expect(told.some((chunk) => 'obfuscation' in chunk)).toBe(false);
    const silent = await read({});
    expect(silent.some(({ usage }) => usage)).toBe(false);
    expect(silent.some((chunk) => 'obfuscation' in chunk)).toBe(true);
  },
  async web_search_options(asking) {
    const user_location = { type: 'approximate' as const, approximate: { city: 'Basel', country: 'CH' } };
    const { choices } = await ask(asking, { web_search_options: { user_location } }, 'How long is the Rhine?');
    const { content, annotations } = choices[0]?.message ?? {};
    const { start_index = 0, end_index = 0, ...page } = annotations?.[0]?.url_citation ?? {};
    expect(content?.slice(start_index, end_index)).toBe('[1]');
    expect(page).toEqual({ title: 'How long is the Rhine? in Basel', url: 'https://rivers.example/' });
    const nowhere = { user_location: { type: 'approximate' as const, approximate: { timezone: 'Mars/Olympus' } } };
    await expect(ask(asking, { web_search_options: nowhere })).rejects.toMatchObject({
      param: 'web_search_options.user_location.approximate.timezone',
    });
  },
};

export const simulatorRows: Readonly<Record<string, Row>> = { ...common, ...simulatorSpecific };
export const plainRows: Readonly<Record<string, Row>> = { ...common, ...plainSpecific };
