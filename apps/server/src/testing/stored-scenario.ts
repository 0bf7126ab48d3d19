import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { clientOf } from './test-server.ts';
import type { TestServer } from './test-server.ts';

const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  {
    role: 'user' as const,
    name: 'ann',
    content: [
      { type: 'text' as const, text: 'Hello! ' },
      { type: 'text' as const, text: 'What is 6 * 7?' },
    ],
  },
];
const ask = { model: 'simulator', messages, temperature: 0, store: true };

/** The results of the official SDK for stored completions, run once for each store. */
export function describeStoredScenario(name: string, server: () => TestServer): void {
  const slug = name.replaceAll(' ', '-');
  const stored = () => server().client.chat.completions;
  const create = (more: object = {}) =>
    stored().create({ ...ask, ...more } as OpenAI.ChatCompletionCreateParamsNonStreaming);
  /** The client of a separate project. */
  const project = async (id: string) => clientOf(server().url, await server().makeKey({ project: id }));

  async function refusal(promise: PromiseLike<unknown>) {
    const error: unknown = await promise.then(
      () => 'was answered',
      (reason: unknown) => reason,
    );
    if (!(error instanceof OpenAI.APIError)) throw new Error(String(error));
    const { status, param, code } = error as { status: unknown; param: unknown; code: unknown };
    return { status, param, code };
  }
  const absent = { status: 404, param: 'completion_id', code: 'not_found' };

  describe(`stored completions ${name}`, () => {
    test('a completion, complete or streamed, is stored with its request and retrieved unchanged', async () => {
      const made = await create({ seed: 3, user: 'u-1', top_p: 0.9, metadata: { team: 'blue' } });
      const kept = await stored().retrieve(made.id);
      expect(kept).toMatchObject({
        ...made,
        request_id: made._request_id,
        seed: 3,
        top_p: 0.9,
        temperature: 0,
        presence_penalty: 0,
        frequency_penalty: 0,
        input_user: 'u-1',
        tools: null,
        tool_choice: null,
        response_format: null,
        metadata: { team: 'blue' },
      });
      const stream = await stored().create({ ...ask, stream: true });
      const chunks = await Array.fromAsync(stream);
      const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      const again = await stored().retrieve(chunks[0]?.id ?? '');
      expect(again.choices[0]?.message.content).toBe(said);
      expect(again.choices[0]?.finish_reason).toBe('stop');
      expect(again.usage?.total_tokens).toBeGreaterThan(0);
    });

    test('the other parameters of the request are returned with include[]=request_parameters only', async () => {
      const parameters = {
        ...{ n: 2, max_completion_tokens: 40, stop: ['END'], logprobs: true, top_logprobs: 2 },
        ...{ logit_bias: { 50256: -100 }, reasoning_effort: 'low' },
      };
      const made = await create({ ...parameters, seed: 3, metadata: { with: `parameters-${slug}` } });
      const query = { include: ['request_parameters'] };
      const { request_parameters, ...completion } = (await stored().retrieve(made.id, {
        query,
      })) as OpenAI.ChatCompletion & {
        request_parameters?: unknown;
      };
      expect(request_parameters).toEqual({ model: 'simulator', ...parameters });
      expect(await stored().retrieve(made.id)).toEqual(completion);
      expect(completion).not.toHaveProperty('request_parameters');
      const metadata = { with: `parameters-${slug}` };
      expect((await stored().list({ metadata })).data).toEqual([completion]);
      const summaries = await stored().list({ metadata }, { query: { view: 'summary', metadata } });
      expect(summaries.data.map(({ id }) => id)).toEqual([made.id]);
      expect(summaries.data[0]).not.toHaveProperty('request_parameters');
      expect(await stored().update(made.id, { metadata })).toEqual(completion);
      const unknown = { query: { include: ['everything'] } };
      expect(await refusal(stored().retrieve(made.id, unknown))).toMatchObject({ status: 400, param: 'include[0]' });
    });

    test('returns 404 for a completion that was not stored, and for an invalid ID', async () => {
      const { id } = await create({ store: false });
      expect(await refusal(stored().retrieve(id))).toEqual(absent);
      expect(await refusal(stored().retrieve("'; drop table completions; --"))).toEqual(absent);
      expect(await refusal(stored().messages.list('nothing'))).toEqual(absent);
    });

    test('completions of another project are indistinguishable from missing ones', async () => {
      const { id } = await create({ metadata: { whose: 'mine' } });
      const other = (await project(`other-${id}`)).chat.completions;
      for (const call of [
        () => other.retrieve(id),
        () => other.update(id, { metadata: {} }),
        () => other.delete(id),
        () => other.messages.list(id),
      ]) {
        expect(await refusal(call())).toEqual(absent);
      }
      expect((await other.list({ metadata: { whose: 'mine' } })).data).toEqual([]);
      expect(await refusal(other.list({ after: id }))).toMatchObject({ status: 400, param: 'after' });
      expect((await stored().retrieve(id)).id).toBe(id);
    });

    test('metadata is replaced, found by its new pairs and no longer by the old; nothing else can change', async () => {
      const { id } = await create({ metadata: { kind: 'draft', of: name } });
      const updated = await stored().update(id, { metadata: { kind: 'final', of: name } });
      expect(updated).toMatchObject({ id, metadata: { kind: 'final', of: name } });
      const found = async (kind: string) =>
        (await stored().list({ metadata: { kind, of: name } })).data.map((completion) => completion.id);
      expect([await found('draft'), await found('final')]).toEqual([[], [id]]);
      const wrong = { metadata: {}, model: 'other' } as OpenAI.ChatCompletionUpdateParams;
      expect(await refusal(stored().update(id, wrong))).toMatchObject({
        status: 400,
        param: 'model',
        code: 'unknown_parameter',
      });
      const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
      expect(await refusal(stored().update(id, { metadata: many }))).toMatchObject({ status: 400, param: 'metadata' });
    });

    test('metadata accepts any text up to its limits, and treats it as data only', async () => {
      const { chat } = await project(`odd-${name}`);
      const odd: Record<string, string>[] = [
        { ["' or 1=1; --"]: "'; drop table completions; --" },
        { 'a.b[c]': '%_*?' },
        { ['ключ😀']: '値'.repeat(256) },
        { ['k'.repeat(64)]: 'v'.repeat(512) },
        { ['😀'.repeat(64)]: '😀'.repeat(512) },
        { nul: 'a\u0000b' },
        { empty: '' },
      ];
      for (const metadata of odd) {
        const { id } = await chat.completions.create({ ...ask, metadata });
        expect((await chat.completions.retrieve(id)).metadata).toEqual(metadata);
        expect((await chat.completions.list({ metadata })).data.map((one) => one.id)).toEqual([id]);
      }
      for (const metadata of [{ ['k'.repeat(65)]: 'v' }, { k: 'v'.repeat(513) }]) {
        expect(await refusal(chat.completions.create({ ...ask, metadata }))).toMatchObject({
          status: 400,
          param: expect.stringContaining('metadata') as string,
        });
      }
    });

    test('messages are listed with their parts, in both orders and by pages', async () => {
      const { id } = await create();
      const all = await Array.fromAsync(stored().messages.list(id));
      expect(all).toMatchObject([
        { id: `${id}-0`, role: 'system', content: 'Be brief.', content_parts: null },
        {
          id: `${id}-1`,
          role: 'user',
          name: 'ann',
          content: 'Hello! What is 6 * 7?',
          content_parts: messages[1]?.content,
        },
        { id: `${id}-2`, role: 'assistant', name: null, content: expect.any(String) as string, content_parts: null },
      ]);
      const first = await stored().messages.list(id, { limit: 1, order: 'desc' });
      expect([first.data[0]?.id, first.has_more]).toEqual([`${id}-2`, true]);
      expect((await stored().messages.list(id, { after: `${id}-0` })).data.map((one) => one.id)).toEqual([
        `${id}-1`,
        `${id}-2`,
      ]);
      expect(await refusal(stored().messages.list(id, { after: `${id}-9` }))).toMatchObject({
        status: 400,
        param: 'after',
      });
    });

    test('pages through two hundred completions in both orders while more are added, and returns each once', async () => {
      const { completions } = (await project(`many-${name}`)).chat;
      const make = async () => (await completions.create(ask)).id;
      const ids: string[] = [];
      for (let i = 0; i < 200; i += 50) ids.push(...(await Promise.all(Array.from({ length: 50 }, make))));
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        for await (const { id } of completions.list({ limit: 20, order })) {
          seen.push(id);
          if (seen.length % 40 === 0) await make();
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
      }
      const page = await completions.list({ limit: 3, model: 'simulator', order: 'asc' });
      expect(page.data).toHaveLength(3);
      expect((await completions.list({ model: 'another' })).data).toEqual([]);
    });

    test('a list is filtered by time, and has only excerpts with view=summary', async () => {
      const { url } = server();
      const key = await server().makeKey({ project: `summaries-${name}` });
      const { created, id, choices } = await clientOf(url, key).chat.completions.create({
        ...ask,
        metadata: { a: '1' },
      });
      const list = async (query: string) => {
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${url}/v1/chat/completions?${query}`, { headers });
        return (await response.json()) as OpenAI.CursorPage<OpenAI.ChatCompletion> & object;
      };
      const idsOf = async (query: string) => (await list(query)).data.map((one) => one.id);
      for (const order of ['asc', 'desc']) {
        expect(await idsOf(`order=${order}&start_time=${created}&end_time=${created + 1}`)).toEqual([id]);
        expect(await idsOf(`order=${order}&start_time=${created + 1}`)).toEqual([]);
        expect(await idsOf(`order=${order}&end_time=${created}&metadata[a]=1`)).toEqual([]);
      }
      const [summary] = (await list('view=summary')).data;
      expect(summary).toMatchObject({ id, choices: [], metadata: { a: '1' } });
      expect(summary?.usage?.prompt_tokens).toBeGreaterThan(0);
      expect(summary).toHaveProperty('excerpt', choices[0]?.message.content?.slice(0, 200));
      expect(summary).toMatchObject({ finish_reason: 'stop', cost: null });
      for (const field of ['prompt_excerpt', 'duration_ms', 'first_token_ms']) {
        expect(summary).toHaveProperty(field, expect.anything());
      }
      expect(summary).toHaveProperty('api_key_id', expect.stringMatching(/^key_/));
      expect(summary).not.toHaveProperty('tools');
      expect((await list('view=full')).data[0]).toMatchObject({ id, choices });
    });

    test.each([
      [{ limit: -1 }, 'limit'],
      [{ view: 'short' }, 'view'],
      [{ start_time: 'yesterday' }, 'start_time'],
      [{ order: 'up' }, 'order'],
      [{ after: 'chatcmpl-nothing' }, 'after'],
      [{ page: 2 }, 'page'],
    ])('a list with %j is refused, naming %s', async (query, param) => {
      expect(await refusal(stored().list(query as OpenAI.ChatCompletionListParams))).toMatchObject({
        status: 400,
        param,
      });
    });

    test('deletes a completion with its messages', async () => {
      const { id } = await create();
      expect(await stored().delete(id)).toEqual({ id, object: 'chat.completion.deleted', deleted: true });
      expect(await refusal(stored().retrieve(id))).toEqual(absent);
      expect(await refusal(stored().messages.list(id))).toEqual(absent);
      expect(await refusal(stored().delete(id))).toEqual(absent);
    });

    test('the same idempotency key returns the same response, complete or streamed; with another body it is rejected', async () => {
      const { completions } = (await project(`once-${name}`)).chat;
      const once = { headers: { 'idempotency-key': `key-${slug}` } };
      const wild = { ...ask, temperature: 1.9 };
      const first = await completions.create(wild, once);
      expect(await completions.create(wild, once)).toEqual(first);
      expect((await completions.list()).data).toHaveLength(1);
      expect(await refusal(completions.create({ ...wild, temperature: 1 }, once))).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      });
      const streamOnce = { headers: { 'idempotency-key': `stream-${slug}` } };
      const said = async () =>
        JSON.stringify(await Array.fromAsync(await completions.create({ ...wild, stream: true }, streamOnce)));
      expect(await said()).toBe(await said());
      const many = await Promise.all(
        Array.from({ length: 20 }, () =>
          completions.create(wild, { headers: { 'idempotency-key': `race-${slug}` } }).then(
            ({ id }) => id,
            () => 'busy',
          ),
        ),
      );
      expect(new Set(many.filter((id) => id !== 'busy')).size).toBe(1);
    });
  });

  describe(`keys ${name}`, () => {
    test('a role permits only its operations', async () => {
      const { id } = await create();
      const denied = { status: 403, code: 'insufficient_permissions' };
      const reader = clientOf(server().url, await server().makeKey({ role: 'read_only' })).chat.completions;
      expect((await reader.retrieve(id)).id).toBe(id);
      expect(await refusal(reader.create(ask))).toMatchObject(denied);
      expect(await refusal(reader.delete(id))).toMatchObject(denied);
      const inferrer = clientOf(server().url, await server().makeKey({ role: 'inference_only' }));
      expect((await inferrer.chat.completions.create(ask)).object).toBe('chat.completion');
      expect(await refusal(inferrer.chat.completions.list())).toMatchObject(denied);
      expect((await inferrer.models.list()).data.length).toBeGreaterThan(0);
    });

    test('an expired or revoked key is rejected, a revoked one within seconds', async () => {
      const expired = clientOf(server().url, await server().makeKey({ expires: 1 }));
      expect(await refusal(expired.models.list())).toMatchObject({ status: 401, code: 'invalid_api_key' });
      const key = await server().makeKey({ name: `revoked-${name}` });
      const client = clientOf(server().url, key);
      expect((await client.models.list()).data.length).toBeGreaterThan(0);
      const record = (await server().stores.keys.list()).find((one) => one.name === `revoked-${name}`);
      await server().stores.keys.revoke(record?.id ?? '', 1);
      await expect
        .poll(
          () =>
            client.models.list().then(
              () => 'valid',
              () => 'wrong',
            ),
          { timeout: 60_000 },
        )
        .toBe('wrong');
    });

    test('the limits of a key and its project apply, with the standard headers', async () => {
      const ask = async (key: string) =>
        fetch(`${server().url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      const own = await server().makeKey({ project: `limited-${name}`, requestsPerMinute: 1 });
      const shared = await server().makeKey({ project: `limited-${name}` });
      await server().stores.keys.updateProject(`limited-${name}`, { requestsPerMinute: 3 });
      const first = await ask(own);
      expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0']);
      const second = await ask(own);
      expect([second.status, Number(second.headers.get('retry-after')) > 30]).toEqual([429, true]);
      expect([(await ask(shared)).status, (await ask(shared)).status, (await ask(shared)).status]).toEqual([
        200, 200, 429,
      ]);
    });

    test('an administrator reads usage by project, key and model, in the format of the official SDK', async () => {
      const { chat } = await project(`used-${name}`);
      const made = await chat.completions.create(ask);
      const adminAPIKey = await server().makeKey({ role: 'admin', project: 'operators' });
      const operator = new OpenAI({ apiKey: adminAPIKey, adminAPIKey, baseURL: `${server().url}/v1`, maxRetries: 0 });
      const today = Math.floor(Date.now() / 86_400_000) * 86_400;
      const page = await operator.admin.organization.usage.completions({
        start_time: today,
        project_ids: [`used-${name}`],
        group_by: ['project_id', 'model'],
      });
      expect(page.data[0]?.results).toMatchObject([
        {
          object: 'organization.usage.completions.result',
          num_model_requests: 1,
          input_tokens: made.usage?.prompt_tokens,
          output_tokens: made.usage?.completion_tokens,
          project_id: `used-${name}`,
          model: 'simulator',
          api_key_id: null,
        },
      ]);
      const denied = new OpenAI({
        apiKey: 'x',
        adminAPIKey: await server().makeKey({}),
        baseURL: `${server().url}/v1`,
        maxRetries: 0,
      });
      expect(await refusal(denied.admin.organization.usage.completions({ start_time: today }))).toMatchObject({
        status: 403,
      });
    });
  });
}
