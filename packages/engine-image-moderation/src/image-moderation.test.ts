import { createServer } from '@modelwire/server';
import type { ModerationPart } from '@modelwire/ports';
import { afterAll, expect, test } from 'vitest';
import { createImageModeration } from './index.ts';
import type { ImageModerationOptions } from './index.ts';
import { pictures, pngOf } from './testing/pictures.ts';

const engine = createImageModeration();
afterAll(() => engine.close?.());

const model = 'omni-moderation-latest';
const idle = { requestId: 'req_1', signal: new AbortController().signal };
const part = (bytes: Uint8Array): ModerationPart => ({ type: 'image', mediaType: 'image/png', bytes });

test('scores empty pictures low, in sexual only', async () => {
  const inputs = await Promise.all(Object.values(pictures).map(async ({ at }) => [part(await pngOf(at))]));
  const verdicts = await engine.moderate({ model, inputs }, idle);
  expect(verdicts.map((verdict) => Object.keys(verdict))).toEqual(inputs.map(() => ['sexual']));
  for (const { sexual } of verdicts) {
    expect(sexual).toMatchObject({ flagged: false, appliedTo: ['image'] });
    expect(sexual!.score).toBeLessThan(0.1);
  }
});

test('uses the worst of several images; a threshold and the weight of suggestive ones are configurable', async () => {
  const { at, says } = pictures['a plain colour'];
  const strict = createImageModeration({ threshold: 0.03, suggestive: 1, models: ['ours'] });
  const images = await Promise.all([pngOf(pictures.noise.at), pngOf(at)].map(async (png) => part(await png)));
  const [verdict] = await strict.moderate({ model: 'ours', inputs: [images] }, idle);
  const [, hentai, , porn, sexy] = says;
  expect(verdict?.sexual?.score).toBeCloseTo(hentai + porn + sexy, 3);
  expect(verdict?.sexual?.flagged).toBe(true);
  await strict.close?.();
});

test('ignores text', async () => {
  expect(await engine.moderate({ model, inputs: [[{ type: 'text', text: 'a' }]] }, idle)).toEqual([{}]);
});

test('returns 400 naming the part for a corrupted image, and examines the next', async () => {
  const png = await pngOf(pictures.noise.at);
  const broken = [{ type: 'text', text: 'look' } as const, part(png.subarray(0, png.length / 2))];
  await expect(engine.moderate({ model, inputs: [broken] }, idle)).rejects.toMatchObject({
    status: 400,
    code: 'invalid_image',
    param: 'input[1].image_url.url',
  });
  const [fine] = await engine.moderate({ model, inputs: [[part(png)]] }, idle);
  expect(fine?.sexual?.flagged).toBe(false);
});

test('an abort ends the waiting; too many waiting images are a 503', async () => {
  const narrow = createImageModeration({ maxWaiting: 1 });
  const inputs = [[part(await pngOf(pictures.noise.at))]];
  const leaving = new AbortController();
  const looked = narrow.moderate({ model, inputs }, idle);
  const waits = narrow.moderate({ model, inputs }, { ...idle, signal: leaving.signal });
  await expect(narrow.moderate({ model, inputs }, idle)).rejects.toMatchObject({ status: 503, code: 'overloaded' });
  leaving.abort(new Error('left'));
  await expect(waits).rejects.toThrow('left');
  await expect(looked).resolves.toHaveLength(1);
  await narrow.close?.();
});

test('rejects running and waiting images when it is closed', async () => {
  const closing = createImageModeration();
  const inputs = [[part(await pngOf(pictures.noise.at))]];
  const asked = [1, 2].map(() => closing.moderate({ model, inputs }, idle).catch(String));
  await closing.close?.();
  expect(await Promise.all(asked)).toEqual([expect.stringContaining('exited'), expect.stringContaining('closed')]);
});

test.each([
  ['models', { models: [] }],
  ['name', { name: '' }],
  ['threshold', { threshold: 0 }],
  ['suggestive', { suggestive: 2 }],
  ['frames', { frames: 0 }],
  ['maxPixels', { maxPixels: 1.5 }],
  ['surprise', { surprise: 1 }],
])('a wrong option is a TypeError that names it: %s', (option, wrong) => {
  expect(() => createImageModeration(wrong as ImageModerationOptions)).toThrow(`createImageModeration: '${option}'`);
});

test('the server returns the newer response format', async () => {
  const server = createServer({ engines: [], moderationEngines: [engine], keys: 'open' });
  const url = `data:image/png;base64,${(await pngOf(pictures['a gradient'].at)).toString('base64')}`;
  const answer = await server.fetch(
    new Request('http://localhost/v1/moderations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: [{ type: 'image_url', image_url: { url } }] }),
    }),
  );
  expect(await answer.json()).toMatchObject({
    results: [{ flagged: false, category_applied_input_types: { sexual: ['image'], violence: [] } }],
  });
});
