import { RequestError } from '@modelwire/ports';
import type {
  CapabilitiesInit,
  ChatEvent,
  GenerationObservation,
  GenerationOutcome,
  ModerationObserver,
} from '@modelwire/ports';
import { createServer } from '@modelwire/server';
import { formatShape } from '@modelwire/server/internal';
import { expect, test } from 'vitest';
import { createJudge } from './index.ts';
import { idle, latest, scripted, text, userText, verdict, withSchema } from './testing/scripted.ts';

test('returns a verdict for each input, in order, in all 13 categories', async () => {
  const engine = scripted(({ request }) => verdict({ violence: userText(request).includes('bad') ? 0.9 : 0.1 }));
  const verdicts = await createJudge({ engine, model: 'm' }).moderate(
    { model: latest, inputs: [text('fine'), text('bad'), text('fine as well')] },
    idle,
  );
  expect(verdicts.map((one) => one.violence)).toEqual([
    { score: 0.1, flagged: false, threshold: 0.5, appliedTo: ['text'] },
    { score: 0.9, flagged: true, threshold: 0.5, appliedTo: ['text'] },
    { score: 0.1, flagged: false, threshold: 0.5, appliedTo: ['text'] },
  ]);
  expect(verdicts.map((one) => Object.keys(one).length)).toEqual([13, 13, 13]);
});

test('a category that contains another scores at least as high', async () => {
  const engine = scripted(() => verdict({ 'hate/threatening': 0.8, hate: 0.2 }));
  const [one] = await createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  expect(one?.hate).toMatchObject({ score: 0.8, flagged: true });
});

test('flags from the threshold, which can differ by category', async () => {
  const engine = scripted(() => verdict({ sexual: 0.3, violence: 0.3, hate: 0.5 }));
  const judge = createJudge({ engine, model: 'm', thresholds: { sexual: 0.3 } });
  const [one] = await judge.moderate({ model: latest, inputs: [text('a')] }, idle);
  expect([one?.sexual?.flagged, one?.violence?.flagged, one?.hate?.flagged]).toEqual([true, false, true]);
});

test.each<[string, CapabilitiesInit, object, string[]]>([
  [
    'a strict schema',
    withSchema,
    { type: 'json_schema', json_schema: { strict: true } },
    ['max_completion_tokens', 'temperature'],
  ],
  [
    'a schema that the engine does not guarantee',
    { parameters: { response_format: 'native', max_tokens: 'native' }, response_formats: ['text', 'json_schema'] },
    { type: 'json_schema' },
    ['max_tokens'],
  ],
  [
    'a JSON object',
    { parameters: { response_format: 'native' }, response_formats: ['text', 'json_object'] },
    { type: 'json_object' },
    [],
  ],
  ['plain text', { parameters: { response_format: 'refused' } }, { type: 'text' }, []],
])('requests the strictest format that the model supports: %s', async (_, can, format, parameters) => {
  const engine = scripted(() => verdict(), can);
  await createJudge({ engine, model: 'm', maxTokens: 500 }).moderate({ model: latest, inputs: [text('a')] }, idle);
  const { request, context } = engine.seen[0]!;
  expect(request.response_format).toMatchObject(format);
  // Engines that forward use the wire format.
  expect(context.requestBody.response_format ?? { type: 'text' }).toEqual(request.response_format);
  expect(context.requestBody.messages).toEqual(request.messages);
  const sent = Object.keys(context.requestBody).filter(
    (name) => !['model', 'messages', 'response_format'].includes(name),
  );
  expect(sent.sort()).toEqual(parameters);
  const hasLimit = parameters.some((name) => name.startsWith('max'));
  expect(request.max_completion_tokens).toBe(hasLimit ? 500 : undefined);
});

test('the schema permits a verdict and nothing else', async () => {
  const engine = scripted(() => verdict());
  await createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  const { response_format: format } = engine.seen[0]!.request;
  const accepts = formatShape(format);
  expect(accepts?.(verdict({ hate: 0.05, violence: 1 }))).toBeUndefined();
  for (const wrong of [verdict({ hate: 7 }), verdict({ hate: '0' }), verdict({ key: 'a' }), '{}']) {
    expect(accepts?.(wrong)).toBeDefined();
  }
});

const said = (text: string): ChatEvent => ({ type: 'text', choice: 0, text });
const finish = (reason: 'stop' | 'length' | 'content_filter'): ChatEvent => ({ type: 'finish', choice: 0, reason });

test.each<[string, string | ChatEvent[], string]>([
  ['words', 'This text is fine.', 'it contains no JSON object'],
  ['no verdict', '{"flagged":false}', 'these scores are missing: sexual, hate,'],
  ['a score that is no number', verdict({ hate: 'low' }), 'these scores are not numbers from 0 to 1: hate'],
  ['a truncated answer', [said(verdict()), finish('length')], "it ended with the finish reason 'length'"],
  ['a filtered answer', [said(verdict()), finish('content_filter')], "the finish reason 'content_filter'"],
  ['an answer without an end', [said(verdict())], 'it was incomplete'],
  ['a refusal', [{ type: 'refusal', choice: 0, text: 'No.' }, finish('stop')], 'it was a refusal'],
  [
    'a tool call',
    [{ type: 'tool_call', choice: 0, index: 0, id: 'c', kind: 'function', name: 'f' }, said(verdict()), finish('stop')],
    'it called a tool',
  ],
  ['an answer that is too long', [said(`${verdict()}${' '.repeat(70_000)}`), finish('stop')], 'it was too long'],
])('retries twice with the error in the prompt, then returns 502 judge_malformed: %s', async (_, answer, problem) => {
  const engine = scripted(() => answer);
  const asked = createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  await expect(asked).rejects.toMatchObject({
    name: 'RequestError',
    status: 502,
    code: 'judge_malformed',
    message: expect.stringMatching(
      /^The chat model 'm' .* in 3 attempts\. .* Use a model that supports JSON Schema/,
    ) as unknown,
    headers: { 'x-should-retry': 'false' },
  });
  await expect(asked).rejects.toThrow(problem);
  const [first, ...retries] = engine.seen.map(({ request }) => userText(request));
  expect(first).not.toContain('previous answer');
  expect(retries).toHaveLength(2);
  for (const retry of retries) {
    expect(retry.startsWith(`${first}\nYour previous answer was invalid: `)).toBe(true);
    expect(retry).toContain(problem);
  }
});

test('a retry can return the verdict; it uses a higher temperature', async () => {
  const engine = scripted(({ attempt }) => (attempt === 0 ? 'Sorry?' : verdict({ hate: 0.9 })));
  const [one] = await createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  expect(one?.hate?.flagged).toBe(true);
  expect(engine.seen.map(({ request }) => request.temperature)).toEqual([0, 0.5]);
});

test('does not retry when retries is 0', async () => {
  const engine = scripted(() => 'Sorry?');
  const judge = createJudge({ engine, model: 'm', retries: 0 });
  const asked = judge.moderate({ model: latest, inputs: [text('a')] }, idle);
  await expect(asked).rejects.toThrow('in 1 attempt.');
  expect(engine.seen).toHaveLength(1);
});

test('asks without the schema when the provider rejects it, which is not one of the attempts', async () => {
  const engine = scripted(({ request }) => {
    if (request.response_format.type === 'text') return verdict({ hate: 0.9 });
    throw new RequestError("Unknown keyword 'enum'.", { status: 400, code: 'invalid_json_schema' });
  });
  const judge = createJudge({ engine, model: 'm', retries: 0 });
  const [one] = await judge.moderate({ model: latest, inputs: [text('a')] }, idle);
  expect(one?.hate?.flagged).toBe(true);
  expect(engine.seen.map(({ request }) => request.response_format.type)).toEqual(['json_schema', 'text']);
});

test('sends images to a model that supports them, and reports both input types', async () => {
  const engine = scripted(() => verdict({ sexual: 0.7 }), { ...withSchema, inputs: ['text', 'image'] });
  const judge = createJudge({ engine, model: 'm', models: ['ours'] });
  expect(judge.models()).toMatchObject([{ id: 'ours', owned_by: 'judge', inputs: ['text', 'image'] }]);
  const image = { type: 'image', mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) } as const;
  const [one] = await judge.moderate({ model: 'ours', inputs: [[...text('look'), image]] }, idle);
  expect(one?.sexual?.appliedTo).toEqual(['text', 'image']);
  const content = engine.seen[0]!.request.messages.at(-1)?.content;
  expect(content).toMatchObject([
    { type: 'text', text: expect.stringContaining('{"parts":[{"text":"look"},{"image":1}]}') as unknown },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
    { type: 'text' },
  ]);
});

test('is a text model when its chat model is one', () => {
  expect(createJudge({ engine: scripted(() => ''), model: 'm' }).models()).toMatchObject([
    { id: latest, inputs: ['text'] },
    { id: 'omni-moderation-2024-09-26', inputs: ['text'] },
  ]);
});

test('limits concurrent inputs over all requests', async () => {
  let working = 0;
  let most = 0;
  const engine = scripted(async () => {
    most = Math.max(most, ++working);
    await new Promise((resolve) => setTimeout(resolve, 5));
    working--;
    return verdict();
  });
  const judge = createJudge({ engine, model: 'm', concurrency: 2 });
  const inputs = ['a', 'b', 'c', 'd'].map(text);
  await Promise.all([1, 2].map(() => judge.moderate({ model: latest, inputs }, idle)));
  expect(engine.seen).toHaveLength(8);
  expect(most).toBe(2);
});

test('an abort reaches the model, ends the waiting and causes no retry', async () => {
  const leaving = new AbortController();
  const engine = scripted(() => new Promise<string>(() => undefined));
  const judge = createJudge({ engine, model: 'm', concurrency: 1 });
  const asked = judge.moderate({ model: latest, inputs: [text('a'), text('b')] }, { ...idle, signal: leaving.signal });
  await expect.poll(() => engine.seen.length).toBe(1);
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  expect(engine.seen[0]!.context.signal.aborted).toBe(true);
  expect(engine.seen).toHaveLength(1);
});

test('fails the whole request, and aborts the other inputs, when one has no verdict', async () => {
  const engine = scripted(({ request }) => {
    if (userText(request).includes('bad')) throw new RequestError('Too many.', { status: 429, code: 'rate_limit' });
    return new Promise<string>((resolve) => setTimeout(() => resolve(verdict()), 20));
  });
  const asked = createJudge({ engine, model: 'm', concurrency: 2 }).moderate(
    { model: latest, inputs: [text('fine'), text('bad'), text('never asked')] },
    idle,
  );
  await expect(asked).rejects.toMatchObject({ status: 429, code: 'rate_limit' });
  expect(engine.seen).toHaveLength(2);
  expect(engine.seen[0]!.context.signal.aborted).toBe(true);
});

test('returns 504 on timeout, 503 for an unavailable model, and 404 for another model ID', async () => {
  const engine = scripted(() => new Promise<string>(() => undefined));
  const ask = (options: { model: string }, model = latest) =>
    createJudge({ engine, timeoutMs: 20, ...options }).moderate({ model, inputs: [text('a')] }, idle);
  await expect(ask({ model: 'm' })).rejects.toMatchObject({ status: 504, code: 'judge_timeout' });
  await expect(ask({ model: 'gone' })).rejects.toMatchObject({ status: 503, code: 'judge_unavailable' });
  await expect(ask({ model: 'm' }, 'other')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
});

test("errors of the judge's own request are not client errors, except for a text that is too long", async () => {
  const ask = (code: string) => {
    const engine = scripted(() => {
      throw new RequestError('Bad messages.', { status: 400, code, param: 'messages' });
    });
    return createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  };
  await expect(ask('invalid_value')).rejects.toMatchObject({ status: 502, code: 'judge_failed', param: null });
  await expect(ask('context_length_exceeded')).rejects.toMatchObject({ status: 400, param: 'input' });
});

test('each request is a separate project for the chat engine', async () => {
  const engine = scripted(() => verdict());
  const judge = createJudge({ engine, model: 'm' });
  for (const requestId of ['req_1', 'req_2']) {
    await judge.moderate({ model: latest, inputs: [text('a')] }, { ...idle, requestId });
  }
  expect(engine.seen.map(({ context }) => context.project)).toEqual(['judge:req_1', 'judge:req_2']);
});

test.each([
  ['engine', { engine: {} }],
  ['model', { model: '' }],
  ['preset', { preset: 'llama-guard' }],
  ['models', { models: [] }],
  ['models', { models: ['a', 'a'] }],
  ["thresholds['evil']", { thresholds: { evil: 0.5 } }],
  ["thresholds['hate']", { thresholds: { hate: 0 } }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['concurrency', { concurrency: 1.5 }],
  ['retries', { retries: -1 }],
  ['surprise', { surprise: 1 }],
])('a wrong option is a TypeError that names it: %s', (option, wrong) => {
  const options = { engine: scripted(() => ''), model: 'm', ...wrong } as Parameters<typeof createJudge>[0];
  expect(() => createJudge(options)).toThrow(new RegExp(`^createJudge: '${option.replace(/[[\]]/g, '\\$&')}'`));
});

test('the server returns 502 in the common error format for a malformed verdict', async () => {
  const judge = createJudge({ engine: scripted(() => '{}'), model: 'm' });
  const server = createServer({ engines: [], moderationEngines: [judge], keys: 'open' });
  const answer = await server.fetch(
    new Request('http://localhost/v1/moderations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"a"}',
    }),
  );
  expect(answer.status).toBe(502);
  // Official clients would repeat all attempts.
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(await answer.json()).toMatchObject({ error: { type: 'server_error', code: 'judge_malformed' } });
});

test('each question is observed as a generation with its usage, and its upstream attempts are part of it', async () => {
  const started: object[] = [];
  const ended: GenerationOutcome[] = [];
  const observation: GenerationObservation = {
    startUpstreamAttempt: () => ({ headers: {}, end: () => undefined }),
    end: (outcome) => void ended.push(outcome),
  };
  const observer: ModerationObserver = {
    startGeneration({ request, ...details }) {
      started.push({ ...details, lastMessage: request && userText(request) });
      return observation;
    },
    startUpstreamAttempt: () => {
      throw new Error('attempts belong to their generation');
    },
  };
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const engine = scripted(({ attempt }) => {
    if (attempt === 2) throw new Error('the model failed');
    return [
      { type: 'text', choice: 0, text: attempt === 0 ? 'no verdict' : verdict() },
      { type: 'finish', choice: 0, reason: attempt === 0 ? 'length' : 'stop' },
      { type: 'usage', usage },
    ];
  });
  const judge = createJudge({ engine, model: 'm' });
  await judge.moderate({ model: latest, inputs: [text('fine')] }, { ...idle, observer });
  await expect(judge.moderate({ model: latest, inputs: [text('fine')] }, { ...idle, observer })).rejects.toThrow();
  const generation = { operation: 'chat', engine: 'scripted', isRemote: false, model: 'm', isStreamed: false };
  expect(started).toMatchObject([generation, generation, generation]);
  expect(ended).toMatchObject([
    { usage, finishReasons: ['length'], error: undefined },
    { usage, finishReasons: ['stop'], error: undefined },
    { usage: undefined, finishReasons: [], error: { message: 'the model failed' } },
  ]);
  expect(engine.seen.map(({ context }) => context.observer)).toEqual([observation, observation, observation]);
});
