import { createHash } from 'node:crypto';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, expect, test } from 'vitest';
import { createStoryboardEngine } from './index.ts';
import { decodeVideo, difference } from './testing/decode.ts';
import type { Frame } from './testing/decode.ts';
import { jobOf, rendered, sourceOf } from './testing/job.ts';

const engine = createStoryboardEngine({ concurrency: 2 });
afterAll(() => engine.close?.());

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('a clip of the default size and length is a playable H.264 MP4 of exactly that size and length', async () => {
  const job = jobOf({ prompt: 'A red sailboat on a calm sea at sunset', width: 720, height: 1280, seconds: 4 });
  const { video, files, progress } = await rendered(engine, job);
  const { mediaType, seconds, frames, keys, colours } = await decodeVideo(video);
  expect(mediaType).toMatch(/^video\/mp4; codecs="avc1\.42/);
  expect(seconds).toBeCloseTo(4, 6);
  expect(frames).toHaveLength(96);
  expect(frames.every(({ width, height }) => width === 720 && height === 1280)).toBe(true);
  expect(keys).toEqual([0, 1, 2, 3]);
  expect(colours).toMatchObject({ matrix: 'bt709', fullRange: false });
  expect(difference(frames[0]!, frames[48]!)).toBeGreaterThan(0.5);
  expect(difference(frames[48]!, frames[95]!)).toBeGreaterThan(0.5);
  expect([...files].map(([variant, { mediaType: type }]) => [variant, type])).toEqual([
    ['thumbnail', 'image/webp'],
    ['spritesheet', 'image/jpeg'],
    ['video', 'video/mp4'],
  ]);
  const thumbnail = await loadImage(files.get('thumbnail')!.bytes);
  const sheet = await loadImage(files.get('spritesheet')!.bytes);
  expect([thumbnail.width, thumbnail.height, sheet.width, sheet.height]).toEqual([720, 1280, 900, 640]);
  // One report for each frame, and the end.
  expect(progress).toHaveLength(97);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect([progress[0], progress[48], progress.at(-1)]).toEqual([1, 50, 100]);
});

test('renders the same frames for the same prompt, seed, size and length, and others for another seed', async () => {
  const job = jobOf({ prompt: 'a fox in a snowy forest' });
  const [one, two, other] = await Promise.all([job, job, { ...job, seed: 8 }].map((each) => rendered(engine, each)));
  for (const variant of ['thumbnail', 'spritesheet']) {
    expect(digest(one!.files.get(variant)!.bytes)).toBe(digest(two!.files.get(variant)!.bytes));
    expect(digest(one!.files.get(variant)!.bytes)).not.toBe(digest(other!.files.get(variant)!.bytes));
  }
  const [first, second] = await Promise.all([decodeVideo(one!.video), decodeVideo(two!.video)]);
  expect(first.frames).toEqual(second.frames);
});

test('a remix starts with the prompt of its source, and ends with its own prompt in the same style', async () => {
  const job = jobOf({ prompt: 'a fox in a forest', seconds: 2 });
  const framesOf = async (each: typeof job) => (await decodeVideo((await rendered(engine, each)).video)).frames;
  const [source, remix, other] = await Promise.all([
    framesOf(job),
    framesOf(jobOf({ prompt: 'make it winter', seed: 99, seconds: 2, source: sourceOf(job) })),
    framesOf(jobOf({ prompt: 'a fish in a coral reef', seconds: 2 })),
  ]);
  expect(difference(source[0]!, remix[0]!)).toBeLessThan(1);
  const [sourceEnd, remixEnd, otherEnd] = [source.at(-1)!, remix.at(-1)!, other.at(-1)!];
  expect(difference(sourceEnd, remixEnd)).toBeGreaterThan(1);
  expect(difference(sourceEnd, remixEnd)).toBeLessThan(difference(sourceEnd, otherEnd));
});

test('a remix of a remix keeps the style of the first source, whatever checkpoint another engine saved', async () => {
  const first = jobOf({ prompt: 'a lighthouse by the sea' });
  const second = jobOf({ prompt: 'add a storm', seed: 1, source: sourceOf(first, 'job_17') });
  const third = jobOf({ prompt: 'make it night', seed: 2, source: sourceOf(second) });
  const lastOf = async (each: typeof first) => (await decodeVideo((await rendered(engine, each)).video)).frames.at(-1)!;
  const [one, two, three] = await Promise.all([first, second, third].map(lastOf));
  // The corner contains neither the shape nor text.
  const corner = (frame: Frame) => Array.from(frame.luma.subarray(0, 8));
  expect(corner(two!)).toEqual(corner(one!));
  expect(corner(three!)).toEqual(corner(one!));
});

test('an extension begins with its source, frame by frame, and continues with its own prompt in the same style', async () => {
  const source = jobOf({ prompt: 'a fox in a forest' });
  const extension = jobOf({ prompt: 'it runs away', seconds: 1, extensionSeconds: 0.5, source: sourceOf(source) });
  const twice = jobOf({ prompt: 'night falls', seconds: 1.5, extensionSeconds: 0.5, source: sourceOf(extension) });
  const framesOf = async (job: typeof source) => (await decodeVideo((await rendered(engine, job)).video)).frames;
  const [first, longer, longest] = await Promise.all([source, extension, twice].map(framesOf));
  expect([first!.length, longer!.length, longest!.length]).toEqual([12, 24, 36]);
  expect(difference(longer![11]!, first![11]!)).toBeLessThan(1);
  expect(difference(longer![12]!, longer![11]!)).toBeGreaterThan(1);
  expect(difference(longest![23]!, longer![23]!)).toBeLessThan(1);
  const corner = ({ luma }: Frame) => Array.from(luma.subarray(0, 8));
  expect(corner(longest![35]!)).toEqual(corner(first![0]!));
});

test('the input reference is the background of the first shot, and of its remixes', async () => {
  const canvas = createCanvas(300, 200);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = '#000';
  ctx.fillRect(0, 0, 300, 200);
  ctx.fillStyle = '#fff';
  ctx.fillRect(0, 0, 300, 100);
  const inputReference = { mediaType: 'image/png', bytes: await canvas.encode('png') };
  const job = jobOf({ prompt: 'a bird', inputReference });
  const { video, checkpoints } = await rendered(engine, job);
  const [first] = (await decodeVideo(video)).frames;
  const row = (frame: Frame, part: number) => frame.luma[Math.floor(frame.height * part) * frame.width + 5]!;
  expect([row(first!, 0.1), row(first!, 0.65)]).toEqual([expect.closeTo(235, -1), expect.closeTo(16, -1)]);
  expect(checkpoints).toHaveLength(1);

  const remix = jobOf({ prompt: 'add a balloon', source: sourceOf(job, checkpoints[0]) });
  const remixed = (await decodeVideo((await rendered(engine, remix)).video)).frames[0]!;
  expect([row(remixed, 0.1), row(remixed, 0.65)]).toEqual([expect.closeTo(235, -1), expect.closeTo(16, -1)]);
});

test('an invalid image fails the video with a public error code', async () => {
  const inputReference = { mediaType: 'image/png', bytes: Buffer.from('\x89PNG\r\n\x1a\n and no more') };
  await expect(rendered(engine, jobOf({ prompt: 'a bird', inputReference }))).rejects.toMatchObject({
    name: 'VideoError',
    code: 'invalid_input_reference',
  });
});

test.each<[string, string]>([
  ['of 100 KB', 'a red boat on the sea '.repeat(4600)],
  ['of one long word', 'x'.repeat(100_000)],
  ['with control characters and NUL', 'a \u0000boat\u0007 \u001b[31m on\r\n the\u0000 sea\uD800'],
  ['from right to left, with marks that change the direction', '\u202Eסירה על הים\u2066 مرحبا'],
  ['of emoji', '👩‍👩‍👧‍👦🌊🏳️‍🌈🚀'],
  ['of markup', '<script>alert(1)</script> {{7*7}} ${x} &amp; %s ../../etc/passwd'],
  ['of white space only', ' \u200b\n'],
  ['with names of properties of Object.prototype', 'constructor __proto__ toString hasOwnProperty valueOf'],
])('renders a video for a prompt %s', async (_, prompt) => {
  const { frames } = await decodeVideo((await rendered(engine, jobOf({ prompt, seconds: 0.25 }))).video);
  expect(frames).toHaveLength(6);
});

test('an abort ends rendering immediately and releases its slot', async () => {
  const own = createStoryboardEngine();
  const abort = new AbortController();
  const saved: string[] = [];
  const long = rendered(own, jobOf({ prompt: 'a city', seconds: 60 }), {
    signal: abort.signal,
    progress: (percent) => {
      if (percent >= 1) abort.abort(new Error('deleted'));
    },
    save: (variant) => {
      saved.push(variant);
      return Promise.resolve();
    },
  });
  await expect(long).rejects.toThrow('deleted');
  expect(saved).toEqual([]);
  // Its slot is free: the next job gets it.
  expect((await rendered(own, jobOf({ prompt: 'a city', seconds: 0.1 }))).video.length).toBeGreaterThan(0);
});

test('an aborted job does not start', async () => {
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(rendered(engine, jobOf({ prompt: 'a city' }), { signal })).rejects.toThrow('too late');
});

test('closing ends running jobs', async () => {
  const own = createStoryboardEngine();
  const long = rendered(own, jobOf({ prompt: 'a city', seconds: 60 }), { progress: () => void own.close?.() });
  await expect(long).rejects.toThrow('the engine is closed');
});

test('a failure to save ends rendering and is reported', async () => {
  const save = () => Promise.reject(new Error('the disk is full'));
  await expect(rendered(engine, jobOf({ prompt: 'a city' }), { save })).rejects.toThrow('the disk is full');
});

test.each([{ width: 100 }, { width: 4096, height: 4096 }, { seconds: 0 }, { seconds: 121 }])(
  'refuses %j',
  async (wrong) => {
    await expect(rendered(engine, jobOf({ prompt: 'a city', ...wrong }))).rejects.toMatchObject({ name: 'VideoError' });
  },
);
