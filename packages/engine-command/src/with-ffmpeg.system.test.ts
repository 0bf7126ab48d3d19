import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VideoError } from '@modelwire/ports';
import type { VideoEngine, VideoJob, VideoSource } from '@modelwire/ports';
import { expect, onTestFinished, test } from 'vitest';
import { withFfmpeg } from './index.ts';
import type { FfmpegOptions } from './index.ts';
import { createRecordingContext, job } from './testing/running.ts';

/** A video whose first second is red and whose last second is blue. */
function redThenBlue(hasSound = false, rate = 10): Buffer {
  const folder = testFolder();
  const file = join(folder, 'video.mp4');
  const color = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:size=64x32:rate=${rate}:duration=1`];
  const sound = hasSound ? ['-f', 'lavfi', '-i', 'sine=duration=2', '-map', '2:a'] : [];
  const filter = ['-filter_complex', '[0:v][1:v]concat=n=2[joined]', '-map', '[joined]'];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    ...color('red'),
    ...color('blue'),
    ...sound,
    ...filter,
    '-pix_fmt',
    'yuv420p',
    file,
  ]);
  return readFileSync(file);
}

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-ffmpeg-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Width, height and the red, green and blue of the pixel in the middle of an image. */
function middle(image: Uint8Array) {
  const file = join(testFolder(), 'image');
  writeFileSync(file, image);
  const probe = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', file];
  const [width = 0, height = 0] = execFileSync('ffprobe', probe, { encoding: 'utf8' }).split(',').map(Number);
  const pixel = ['-v', 'error', '-i', file, '-vf', 'crop=2:2', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const [red = 0, green = 0, blue = 0] = execFileSync('ffmpeg', pixel);
  return { width, height, isRed: red > 200 && blue < 60 && green < 60, isBlue: blue > 200 && red < 60 && green < 60 };
}

/** The length of a video, rounded, and whether it has sound. */
function streamsOf(video: Uint8Array) {
  const file = join(testFolder(), 'video.mp4');
  writeFileSync(file, video);
  const probe = ['-v', 'error', '-show_entries', 'stream=codec_type:format=duration', '-of', 'json', file];
  const { streams, format } = JSON.parse(execFileSync('ffprobe', probe, { encoding: 'utf8' })) as {
    readonly streams: readonly { readonly codec_type: string }[];
    readonly format: { readonly duration: string };
  };
  const hasSound = streams.some(({ codec_type }) => codec_type === 'audio');
  return { seconds: Math.round(Number(format.duration)), hasSound };
}

const model = { id: 'renderer', created: 1, owned_by: 'tests', sizes: ['64x32'], seconds: ['2'], maxSeconds: 2 };

const wide: VideoJob = { ...job, width: 64, height: 32, seconds: 2 };

function setUp(engine: Partial<VideoEngine>, options: FfmpegOptions = {}) {
  const jobs: VideoJob[] = [];
  const failures: string[] = [];
  const tempFolder = testFolder();
  const inner: VideoEngine = {
    name: 'inner',
    models: () => [{ ...model, inputReference: true, remix: false, extend: false, videoInput: false }],
    async render(received, context) {
      jobs.push(received);
      await context.save('video', 'video/mp4', new Blob([redThenBlue()]).stream());
    },
    ...engine,
  };
  const report: FfmpegOptions['report'] = ({ videoId, what }) => failures.push(`${videoId} ${what}`);
  return {
    ...{ jobs, failures },
    engine: withFfmpeg(inner, { tempFolder, report, ...options }),
    folders: () => readdirSync(tempFolder),
  };
}

test('a thumbnail and a spritesheet are made of a video that has none', async () => {
  const { engine, failures, folders } = setUp({});
  const { context, saved } = createRecordingContext();
  await engine.render(wide, context);
  expect(failures).toEqual([]);
  expect([...saved].map(([variant, { mediaType }]) => [variant, mediaType])).toEqual([
    ['video', 'video/mp4'],
    ['thumbnail', 'image/webp'],
    ['spritesheet', 'image/jpeg'],
  ]);
  expect(saved.get('video')?.bytes).toEqual(redThenBlue());
  expect(middle(saved.get('thumbnail')!.bytes)).toMatchObject({ width: 64, height: 32, isRed: true });
  expect(middle(saved.get('spritesheet')!.bytes)).toMatchObject({ width: 320, height: 64 });
  expect(folders()).toEqual([]);
});

test('images of the engine are kept', async () => {
  const { engine } = setUp({
    async render(_, context) {
      await context.save('thumbnail', 'image/png', new Blob(['own']).stream());
      await context.save('video', 'video/mp4', new Blob([redThenBlue()]).stream());
    },
  });
  const { context, saved } = createRecordingContext();
  await engine.render(wide, context);
  expect(saved.get('thumbnail')).toMatchObject({ mediaType: 'image/png', bytes: Buffer.from('own') });
  expect([...saved.keys()]).toEqual(['thumbnail', 'video', 'spritesheet']);
});

const source: VideoSource = {
  ...wide,
  id: 'video_0',
  checkpoint: undefined,
  read: () => new Blob([redThenBlue()]).stream(),
};

test('a remix of a model that starts from an image starts from the last frame', async () => {
  const { engine, jobs } = setUp({});
  expect(engine.models()[0]).toMatchObject({ inputReference: true, remix: true, extend: true, maxSeconds: undefined });
  await engine.render({ ...wide, source }, createRecordingContext().context);
  expect(jobs[0]).toMatchObject({ source: undefined, inputReference: { mediaType: 'image/png' } });
  expect(middle(jobs[0]!.inputReference!.bytes)).toMatchObject({ width: 64, height: 32, isBlue: true });
});

test.each([
  ['with sound', true],
  ['without sound', false],
])('an extension %s continues the last frame, and is joined to the source', async (_, hasSound) => {
  const { engine, jobs, failures } = setUp({
    async render(received, context) {
      jobs.push(received);
      await context.save('thumbnail', 'image/png', new Blob(['of the part']).stream());
      await context.save('video', 'video/mp4', new Blob([redThenBlue(hasSound)]).stream());
    },
  });
  const { context, saved } = createRecordingContext();
  const extended = { ...source, read: () => new Blob([redThenBlue(hasSound)]).stream() };
  await engine.render({ ...wide, source: extended, seconds: 4, extensionSeconds: 2 }, context);
  expect(jobs[0]).toMatchObject({ source: undefined, seconds: 2, extensionSeconds: undefined });
  expect(middle(jobs[0]!.inputReference!.bytes)).toMatchObject({ isBlue: true });
  expect([...saved.keys()]).toEqual(['video', 'thumbnail', 'spritesheet']);
  expect(streamsOf(saved.get('video')!.bytes)).toEqual({ seconds: 4, hasSound });
  expect(failures).toEqual([]);
});

test('an uploaded video is extended like one of the server', async () => {
  const { engine, jobs } = setUp({});
  const { context, saved } = createRecordingContext();
  // Of another frame rate than the new part.
  const uploadedSource = { read: () => new Blob([redThenBlue(false, 8)]).stream() };
  await engine.render({ ...wide, uploadedSource, seconds: 4, extensionSeconds: 2 }, context);
  expect(jobs[0]).toMatchObject({ source: undefined, uploadedSource: undefined, seconds: 2 });
  expect(streamsOf(saved.get('video')!.bytes)).toMatchObject({ seconds: 4 });
});

test('an extension that cannot be joined fails', async () => {
  const { engine, failures } = setUp({
    render: (_, context) => context.save('video', 'video/mp4', new Blob(['no video']).stream()),
  });
  const rendering = engine.render(
    { ...wide, source, seconds: 4, extensionSeconds: 2 },
    createRecordingContext().context,
  );
  await expect(rendering).rejects.toMatchObject({ name: 'VideoError', code: 'join_failed' });
  expect(failures).toEqual(['video_1 video.mp4']);
});

test('an extension whose sound cannot be joined fails, rather than lose it', async () => {
  const command = join(testFolder(), 'ffmpeg');
  const noSpace = 'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1';
  writeFileSync(command, `#!/bin/sh\ncase "$*" in *:a=1*) ${noSpace};; esac\nexec ffmpeg "$@"\n`, { mode: 0o755 });
  const { engine, failures } = setUp({}, { command });
  const { context, saved } = createRecordingContext();
  const rendering = engine.render({ ...wide, source, seconds: 4, extensionSeconds: 2 }, context);
  await expect(rendering).rejects.toMatchObject({ code: 'join_failed' });
  expect(saved.has('video')).toBe(false);
  expect(failures).toEqual(['video_1 video.mp4']);
});

test('a model that starts from a video gets the source', async () => {
  const { engine, jobs } = setUp({
    models: () => [{ ...model, inputReference: true, remix: true, extend: true, videoInput: true }],
  });
  await engine.render({ ...wide, source }, createRecordingContext().context);
  await engine.render({ ...wide, source, seconds: 4, extensionSeconds: 2 }, createRecordingContext().context);
  expect(jobs[0]).toMatchObject({ source: { id: 'video_0' }, inputReference: undefined });
  expect(jobs[1]).toMatchObject({ source: { id: 'video_0' }, seconds: 4, extensionSeconds: 2 });
});

test('a video that ffmpeg cannot read is complete without images', async () => {
  const { engine, failures } = setUp({
    render: (_, context) => context.save('video', 'video/mp4', new Blob(['#EXTM3U\nfile:///etc/passwd\n']).stream()),
  });
  const { context, saved } = createRecordingContext();
  await engine.render(wide, context);
  expect([...saved.keys()]).toEqual(['video']);
  expect(failures).toEqual(['video_1 thumbnail.webp', 'video_1 spritesheet.jpg']);
});

test('a remix of a source that ffmpeg cannot read fails', async () => {
  const { engine, jobs } = setUp({});
  const broken = { ...source, read: () => new Blob(['no video']).stream() };
  const rendering = engine.render({ ...wide, source: broken }, createRecordingContext().context);
  await expect(rendering).rejects.toThrow(new VideoError('source_unreadable', 'The source video could not be read.'));
  expect(jobs).toEqual([]);
});

test('a source whose frames are larger than 4K is not decoded, whatever its header says', async () => {
  const file = join(testFolder(), 'large.mp4');
  const frame = ['-f', 'lavfi', '-i', 'color=red:size=4112x2320:rate=1:duration=1'];
  execFileSync('ffmpeg', ['-v', 'error', ...frame, '-c:v', 'mpeg4', file]);
  const large = readFileSync(file);
  // The size in the header of the track: the last two fields of `tkhd`, in 1/65536 of a pixel.
  const size = large.indexOf('tkhd') + 80;
  large.writeUInt32BE(64 << 16, size);
  large.writeUInt32BE(32 << 16, size + 4);
  const { engine, failures } = setUp({});
  const uploadedSource = { read: () => new Blob([large]).stream() };
  const rendering = engine.render({ ...wide, uploadedSource }, createRecordingContext().context);
  await expect(rendering).rejects.toMatchObject({ code: 'source_unreadable' });
  expect(failures).toEqual(['video_1 last-frame.png']);
});

test.runIf(process.platform === 'linux')('each run has a memory limit', async () => {
  const { engine, failures } = setUp({}, { memoryBytes: 1024 ** 2 });
  const { context, saved } = createRecordingContext();
  await engine.render(wide, context);
  expect([...saved.keys()]).toEqual(['video']);
  expect(failures).toEqual(['video_1 thumbnail.webp', 'video_1 spritesheet.jpg']);
});

test('a program that does not exist is reported', async () => {
  const { engine, failures } = setUp({}, { command: 'no-such-ffmpeg' });
  const { context, saved } = createRecordingContext();
  await engine.render(wide, context);
  expect([...saved.keys()]).toEqual(['video']);
  expect(failures).toHaveLength(2);
});
