import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createStoryboardEngine } from './index.ts';
import { decodeVideo, difference, likeness } from './testing/decode.ts';
import type { Frame } from './testing/decode.ts';
import { jobOf, rendered, sourceOf } from './testing/job.ts';

const engine = createStoryboardEngine({ concurrency: 2 });
afterAll(() => engine.close?.());

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const middle = (frames: readonly Frame[]): Frame => frames[Math.floor(frames.length / 2)]!;
const middleOf = async (job: Parameters<typeof rendered>[1]) =>
  middle((await decodeVideo((await rendered(engine, job)).video)).frames);

test('a clip of the default size and length is a playable H.264 MP4 of just that size and length', async () => {
  const job = jobOf({ prompt: 'A red sailboat on a calm sea at sunset', width: 720, height: 1280, seconds: 4 });
  const { video, files, progress } = await rendered(engine, job);
  const { mediaType, seconds, frames, keys, colours } = await decodeVideo(video);
  expect(mediaType).toMatch(/^video\/mp4; codecs="avc1\.42/);
  expect(seconds).toBeCloseTo(4, 6);
  expect(frames).toHaveLength(96);
  expect(frames.every(({ width, height }) => width === 720 && height === 1280)).toBe(true);
  expect(keys).toEqual([0, 1, 2, 3]);
  expect(colours).toMatchObject({ matrix: 'bt709', fullRange: false });
  expect(difference(frames[0]!, frames[48]!)).toBeGreaterThan(1);
  expect(difference(frames[48]!, frames[95]!)).toBeGreaterThan(1);
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
  // What the machine's own tool says, where it has one.
  expect([undefined, 'h264,720,1280,yuv420p,24/1,4.000000,96\n']).toContain(await probed(video));
});

async function probed(video: Uint8Array): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-probe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'video.mp4');
  await writeFile(file, video);
  const fields = 'stream=codec_name,width,height,pix_fmt,r_frame_rate,duration,nb_read_frames';
  const options = ['-v', 'error', '-count_frames', '-show_entries', fields, '-of', 'csv=p=0', file];
  try {
    return (await promisify(execFile)('ffprobe', options)).stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

test('the same prompt, seed, size and length give the same bytes, and another seed others', async () => {
  const job = jobOf({ prompt: 'a fox in a snowy forest' });
  const [one, two, other] = await Promise.all([job, job, { ...job, seed: 8 }].map((each) => rendered(engine, each)));
  for (const variant of ['video', 'thumbnail', 'spritesheet']) {
    expect(digest(one!.files.get(variant)!.bytes)).toBe(digest(two!.files.get(variant)!.bytes));
    expect(digest(one!.files.get(variant)!.bytes)).not.toBe(digest(other!.files.get(variant)!.bytes));
  }
});

test.each<[string, string, string]>([
  ['a fox in a forest', 'make it winter', 'a fish in a coral reef'],
  ['a lighthouse by the sea', 'add a storm', 'a horse in a meadow with mountains'],
])(
  'a remix of "%s" by "%s" differs from its source but shares its scene; "%s" does not',
  async (prompt, change, elsewhere) => {
    const job = jobOf({ prompt });
    const chained = jobOf({ prompt: 'make it epic', seed: 1, source: sourceOf(job) });
    const [source, remix, remixOfRemix, other] = await Promise.all([
      middleOf(job),
      middleOf(jobOf({ prompt: change, seed: 99, source: sourceOf(job) })),
      middleOf(jobOf({ prompt: change, seed: 98, source: sourceOf(chained) })),
      middleOf(jobOf({ prompt: elsewhere })),
    ]);
    expect(difference(source, remix)).toBeGreaterThan(10);
    expect(likeness(source, remix)).toBeGreaterThan(0.45);
    expect(likeness(source, remixOfRemix)).toBeGreaterThan(0.45);
    expect(likeness(source, other)).toBeLessThan(0.3);
  },
);

test('a picture given to start from is the ground of the first shot, and of its remixes', async () => {
  const canvas = createCanvas(300, 200);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = '#000';
  ctx.fillRect(0, 0, 300, 200);
  ctx.fillStyle = '#fff';
  ctx.fillRect(0, 0, 300, 100);
  const inputReference = { mediaType: 'image/png', bytes: await canvas.encode('png') };
  const job = jobOf({ prompt: 'a bird', inputReference });
  const { video, memory } = await rendered(engine, job);
  const [first] = (await decodeVideo(video)).frames;
  const row = (frame: Frame, part: number) => frame.luma[Math.floor(frame.height * part) * frame.width + 5]!;
  expect([row(first!, 0.1), row(first!, 0.65)]).toEqual([expect.closeTo(235, -1), expect.closeTo(16, -1)]);
  expect(memory).toHaveLength(1);

  const remix = jobOf({ prompt: 'add a balloon', source: sourceOf(job, memory[0]) });
  const remixed = (await decodeVideo((await rendered(engine, remix)).video)).frames[0]!;
  expect([row(remixed, 0.1), row(remixed, 0.65)]).toEqual([expect.closeTo(235, -1), expect.closeTo(16, -1)]);
});

test('a picture that cannot be read fails the video with a code that the caller may see', async () => {
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
  ['from right to left, with marks that turn the direction', '\u202Eסירה על הים\u2066 مرحبا'],
  ['of emoji', '👩‍👩‍👧‍👦🌊🏳️‍🌈🚀'],
  ['of markup', '<script>alert(1)</script> {{7*7}} ${x} &amp; %s ../../etc/passwd'],
  ['of nothing but space', ' \u200b\n'],
  ['with names of what objects have', 'constructor __proto__ toString hasOwnProperty valueOf'],
])('a prompt %s makes a video as any other', async (_, prompt) => {
  const { frames } = await decodeVideo((await rendered(engine, jobOf({ prompt, seconds: 0.25 }))).video);
  expect(frames).toHaveLength(6);
});

test('an abort ends the work at once, and frees its place', async () => {
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
  // Its place is free: the next one comes through.
  expect((await rendered(own, jobOf({ prompt: 'a city', seconds: 0.1 }))).video.length).toBeGreaterThan(0);
});

/** A folder for what is temporary in one test. */
async function ownTmpdir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-own-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    return rm(folder, { recursive: true });
  });
  return folder;
}

test('an aborted job does not begin', async () => {
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(rendered(engine, jobOf({ prompt: 'a city' }), { signal })).rejects.toThrow('too late');
});

test('closing ends what runs', async () => {
  const own = createStoryboardEngine();
  const long = rendered(own, jobOf({ prompt: 'a city', seconds: 60 }), { progress: () => void own.close?.() });
  await expect(long).rejects.toThrow('the engine is closed');
});

test('a failure to save ends the rendering and is not hidden', async () => {
  const save = () => Promise.reject(new Error('the disk is full'));
  await expect(rendered(engine, jobOf({ prompt: 'a city' }), { save })).rejects.toThrow('the disk is full');
});

test.each([{ width: 100 }, { width: 4096, height: 4096 }, { seconds: 0 }, { seconds: 61 }])(
  'refuses %j',
  async (wrong) => {
    await expect(rendered(engine, jobOf({ prompt: 'a city', ...wrong }))).rejects.toMatchObject({ name: 'VideoError' });
  },
);

test('a program that is not there fails the video, is not replaced in silence, and leaves no file', async () => {
  const folder = await ownTmpdir();
  const own = createStoryboardEngine({ ffmpeg: '/nowhere/ffmpeg' });
  await expect(rendered(own, jobOf({ prompt: 'a city' }))).rejects.toThrow(/ENOENT/);
  expect(await readdir(folder)).toEqual([]);
});

test('with ffmpeg: auto there is a video whether the machine has the program or not', async () => {
  const own = createStoryboardEngine({ ffmpeg: 'auto' });
  const { video } = await rendered(own, jobOf({ prompt: 'a city' }));
  expect(Buffer.from(video).indexOf('moov')).toBeLessThan(Buffer.from(video).indexOf('mdat'));
});
