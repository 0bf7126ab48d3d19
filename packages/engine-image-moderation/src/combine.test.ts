import { readFile } from 'node:fs/promises';
import { compileFunction } from 'node:vm';
import { RequestError } from '@modelwire/ports';
import { createServer } from '@modelwire/server';
import type {
  ModerationEngine,
  ModerationInput,
  ModerationObserver,
  ModerationPart,
  ModerationVerdict,
} from '@modelwire/ports';
import { expect, onTestFinished, test } from 'vitest';
import { combineModeration, createImageModeration } from './index.ts';

const text = (said: string): ModerationPart => ({ type: 'text', text: said });
const picture = (...bytes: number[]): ModerationPart => ({
  type: 'image',
  mediaType: 'image/png',
  bytes: Uint8Array.from(bytes),
});
const idle = { requestId: 'req_1', signal: new AbortController().signal };

interface Fake extends ModerationEngine {
  readonly asked: { readonly model: string; readonly inputs: readonly ModerationInput[] }[];
  closed: boolean;
}

function fake(name: string, judge: (input: ModerationInput, signal: AbortSignal) => unknown, ids = ['a', 'b']): Fake {
  const made: Fake = {
    name,
    asked: [],
    closed: false,
    models: () => ids.map((id) => ({ id, created: 1, owned_by: name, inputs: ['text'] })),
    async moderate(request, { signal }) {
      made.asked.push(request);
      return Promise.all(request.inputs.map(async (input) => (await judge(input, signal)) as ModerationVerdict));
    },
    close: async () => void (made.closed = true),
  };
  return made;
}

const texts = fake('texts', () => ({
  sexual: { score: 0.2, flagged: true, appliedTo: ['text'] },
  hate: { score: 0.6, flagged: true, appliedTo: ['text'] },
}));
const images = fake('images', () => ({ sexual: { score: 0.4, flagged: false, appliedTo: ['image'] } }), ['b']);

test('sends texts to one engine and images to the other; the higher score counts, either flags, both input types are named', async () => {
  const combined = combineModeration({ text: texts, image: images });
  const inputs = [[text('x')], [picture(1), text('y'), picture(2)], [picture(3)]];
  const verdicts = await combined.moderate({ model: 'a', inputs }, idle);
  expect(texts.asked).toEqual([{ model: 'a', inputs: [[text('x')], [text('y')]] }]);
  // The server has no model `a`: its own is used.
  expect(images.asked).toEqual([{ model: 'b', inputs: [[picture(1), picture(2)], [picture(3)]] }]);
  const hate = { score: 0.6, flagged: true, appliedTo: ['text'] };
  expect(verdicts).toEqual([
    { sexual: { score: 0.2, flagged: true, appliedTo: ['text'] }, hate },
    { sexual: { score: 0.4, flagged: true, appliedTo: ['text', 'image'] }, hate },
    { sexual: { score: 0.4, flagged: false, appliedTo: ['image'] } },
  ]);
});

test('both engines report to the observer of the moderation', async () => {
  const observer: ModerationObserver = {
    startGeneration: () => ({ ...observer, end: () => undefined }),
    startUpstreamAttempt: () => ({ headers: {}, end: () => undefined }),
  };
  const observers: unknown[] = [];
  const observed = (engine: ModerationEngine): ModerationEngine => ({
    ...engine,
    moderate(request, context) {
      observers.push(context.observer);
      return engine.moderate(request, context);
    },
  });
  const combined = combineModeration({ text: observed(texts), image: observed(images) });
  await combined.moderate({ model: 'a', inputs: [[text('x'), picture(1)]] }, { ...idle, observer });
  expect(observers).toEqual([observer, observer]);
});

test('reports the threshold of the engine that flagged a category, or else of the one with the higher score', async () => {
  const scored = (score: number, threshold: number) => ({
    sexual: { score, flagged: score >= threshold, threshold, appliedTo: [] },
  });
  const together = (ours: object, theirs: object) =>
    combineModeration({ text: fake('texts', () => ours), image: fake('images', () => theirs) }).moderate(
      { model: 'a', inputs: [[text('x'), picture(1)]] },
      idle,
    );
  expect(await together(scored(0.3, 0.2), scored(0.4, 0.5))).toMatchObject([{ sexual: { threshold: 0.2 } }]);
  expect(await together(scored(0.1, 0.2), scored(0.4, 0.5))).toMatchObject([{ sexual: { threshold: 0.5 } }]);
});

test('has the models of the text engine, now with images, and closes both', async () => {
  const combined = combineModeration({ text: texts, image: images });
  expect(combined.name).toBe('texts+images');
  expect(combined.models()).toEqual([
    { id: 'a', created: 1, owned_by: 'texts', inputs: ['text', 'image'] },
    { id: 'b', created: 1, owned_by: 'texts', inputs: ['text', 'image'] },
  ]);
  await expect(combined.moderate({ model: 'c', inputs: [] }, idle)).rejects.toMatchObject({ status: 404 });
  await combined.close?.();
  expect([texts.closed, images.closed]).toEqual([true, true]);
});

test('aborts the other engine when one fails; errors name the part by its index in the request', async () => {
  let ended: AbortSignal | undefined;
  const slow = fake('slow', (_, signal) => {
    ended = signal;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  const failing = fake('failing', () => {
    const param = 'input[1].image_url.url';
    throw new RequestError(`Bad image in '${param}'.`, { status: 400, code: 'invalid_image', param });
  });
  const inputs = [[picture(1), text('x'), text('y'), picture(2)]];
  const asked = combineModeration({ text: slow, image: failing }).moderate({ model: 'a', inputs }, idle);
  await expect(asked).rejects.toMatchObject({
    status: 400,
    code: 'invalid_image',
    param: 'input[3].image_url.url',
    message: "Bad image in 'input[3].image_url.url'.",
  });
  expect(ended?.aborted).toBe(true);
});

test('fails when an engine returns no verdict for an input', async () => {
  const silent: ModerationEngine = { ...texts, moderate: () => Promise.resolve([]) };
  const asked = combineModeration({ text: silent, image: images }).moderate(
    { model: 'a', inputs: [[text('x')]] },
    idle,
  );
  await expect(asked).rejects.toThrow('without a verdict');
});

test('the example of the README moderates texts and images', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n(.+?)```/s.exec(readme)?.[1] ?? '';
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  const latest = () => ({ ...texts, models: () => [{ ...texts.models()[0]!, id: 'omni-moderation-latest' }] });
  const names = ['createServer', 'createTextModeration', 'createImageModeration', 'combineModeration'];
  const body = `${example.replace(/^import .*$/gm, '')}; return [server, moderation];`;
  const run = compileFunction(body, names) as (
    ...made: unknown[]
  ) => [ReturnType<typeof createServer>, ModerationEngine];
  const [server, moderation] = run(createServer, latest, createImageModeration, combineModeration);
  onTestFinished(() => moderation.close?.());
  const url = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
  const answer = await server.fetch(
    new Request('http://localhost/v1/moderations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        input: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url } },
        ],
      }),
    }),
  );
  expect(await answer.json()).toMatchObject({
    results: [{ category_applied_input_types: { sexual: ['text', 'image'], hate: ['text'] } }],
  });
});
