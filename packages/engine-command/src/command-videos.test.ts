import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VideoError } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { createCommandVideos } from './index.ts';
import { createTestEngine, job, mp4, png, runs, createRecordingContext } from './testing/running.ts';

test('gives the program its job, reads its progress and keeps what it made', async () => {
  const { engine, note, folders, failures } = createTestEngine(`
    console.log('warming up'); console.log('progress 10'); console.log('{"progress": 55.5}');
    note('job', input); note('argv', JSON.stringify(process.argv.slice(2)));
    write('video.mp4'); write('thumbnail.png', Buffer.from('${png.toString('base64')}', 'base64'));
    process.stdout.write('progress 100');`);
  const { context, saved, progress } = createRecordingContext();
  await engine.render(job, context);
  expect(progress).toEqual([10, 55.5, 100]);
  expect(saved.get('video')).toEqual({ mediaType: 'video/mp4', bytes: mp4 });
  expect(saved.get('thumbnail')).toEqual({ mediaType: 'image/png', bytes: png });
  expect(saved.has('spritesheet')).toBe(false);
  const { inputReference: _, extensionSeconds: __, uploadedSource: ___, ...facts } = job;
  expect(JSON.parse(note('job'))).toEqual({
    ...facts,
    extension_seconds: null,
    input_reference: null,
    source: null,
    output: expect.stringMatching(/\/output$/) as unknown,
  });
  expect(note('argv')).toBe('[]');
  expect(folders()).toEqual([]);
  expect(failures).toEqual([]);
});

test('an image to start from and the source of a remix lie in files of its folder', async () => {
  const { engine, note } = createTestEngine(`
    note('image', fs.readFileSync(job.input_reference.path, 'latin1') + job.input_reference.media_type);
    note('source', JSON.stringify({ ...job.source, video: fs.readFileSync(job.source.video, 'latin1') }));
    note('place', path.relative(process.cwd(), job.source.video));
    write('video.mp4');`);
  const source = {
    id: 'video_0',
    model: 'other',
    prompt: 'Before',
    width: 1280,
    height: 720,
    seconds: 8,
    extensionSeconds: undefined,
    seed: 3,
    source: undefined,
    checkpoint: undefined,
    read: async function* () {
      yield mp4;
    },
  };
  const inputReference = { mediaType: 'image/png', bytes: new Uint8Array([65, 66]) };
  await engine.render({ ...job, inputReference, source }, createRecordingContext().context);
  expect(note('image')).toBe('ABimage/png');
  expect(JSON.parse(note('source'))).toEqual({
    id: 'video_0',
    prompt: 'Before',
    width: 1280,
    height: 720,
    seconds: 8,
    seed: 3,
    video: mp4.toString('latin1'),
  });
  expect(note('place')).toBe(join('input', 'source.mp4'));
});

test('what a caller wrote arrives to the letter and is data alone', async () => {
  const { engine, note, notes } = createTestEngine(`
    note('prompt', JSON.stringify(job.prompt));
    note('everywhere', JSON.stringify([process.argv, process.env]));
    write('video.mp4');`);
  const prompt = `" ' \` $(touch ${notes}/owned) ; rm -rf / \n\r\n{"progress": 99}\n\0 \u2028 --help %s \\ && | > /tmp/x é 🎬`;
  const { context, progress } = createRecordingContext();
  await engine.render({ ...job, prompt }, context);
  expect(JSON.parse(note('prompt'))).toBe(prompt);
  expect(note('everywhere')).not.toContain('touch');
  expect(() => note('owned')).toThrow('ENOENT');
  expect(progress).toEqual([]);
});

test('its environment is what is configured, and four names more', async () => {
  vi.stubEnv('SECRET_OF_THE_SERVER', 'sk-1');
  const { engine, note } = createTestEngine(`note('env', JSON.stringify(process.env)); write('video.mp4');`, {
    env: { RENDERER: 'fast', LANG: 'C.UTF-8' },
  });
  await engine.render(job, createRecordingContext().context);
  vi.unstubAllEnvs();
  const env = JSON.parse(note('env')) as Record<string, string>;
  const allowed = ['HOME', 'LANG', 'PATH', 'RENDERER', 'TMPDIR', '__CF_USER_TEXT_ENCODING'];
  expect(Object.keys(env).filter((name) => !allowed.includes(name))).toEqual([]);
  expect(env).toMatchObject({ RENDERER: 'fast', LANG: 'C.UTF-8', PATH: process.env['PATH'] });
  expect(env['TMPDIR']).toMatch(/modelwire-video-[^/]+\/tmp$/);
});

test('a status other than 0 is command_failed: the end of stderr is reported to the operator, and never to the client', async () => {
  const { engine, failures, folders } = createTestEngine(`
    write('video.mp4');
    process.stderr.write('x'.repeat(100_000) + 'CUDA out of memory at /srv/secret', () => process.exit(3));`);
  const { context, saved } = createRecordingContext();
  const failure = await engine.render(job, context).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(VideoError);
  expect(failure).toMatchObject({ code: 'command_failed', message: 'The video command failed.' });
  expect(failures).toMatchObject([{ videoId: 'video_1', code: 'command_failed', exitCode: 3, signal: null }]);
  expect(failures[0]?.stderr).toMatch(/^x+CUDA out of memory at \/srv\/secret$/);
  expect(failures[0]?.stderr).toHaveLength(16_384);
  expect(saved.size).toBe(0);
  expect(folders()).toEqual([]);
});

test('a program that is not there is command_failed', async () => {
  const { engine, folders } = createTestEngine('', { command: '/nowhere/renderer' });
  await expect(engine.render(job, createRecordingContext().context)).rejects.toMatchObject({ code: 'command_failed' });
  expect(folders()).toEqual([]);
});

test('a program that never reads its job may still succeed', async () => {
  const { engine } = createTestEngine('', {
    command: 'sh',
    args: ['-c', `exec 0<&-; printf '\\0\\0\\0\\030ftypisom' > output/video.mp4`],
  });
  const { context, saved } = createRecordingContext();
  await engine.render({ ...job, prompt: 'long '.repeat(50_000) }, context);
  expect(saved.get('video')?.bytes.toString('latin1')).toBe('\0\0\0\x18ftypisom');
});

const family = `
  const grandchild = child.spawn('sleep', ['1000'], { stdio: 'inherit' });
  note('pids', process.pid + ' ' + grandchild.pid);`;
const pidsOf = (said: string) => said.split(' ').map(Number);

test('a program that takes too long is ended with all that it started', async () => {
  const { engine, note, failures, folders } = createTestEngine(`${family} setInterval(() => {}, 1000);`, {
    timeoutMs: 8000,
  });
  await expect(engine.render(job, createRecordingContext().context)).rejects.toMatchObject({ code: 'command_timeout' });
  expect(pidsOf(note('pids')).map(runs)).toEqual([false, false]);
  expect(failures).toMatchObject([{ code: 'command_timeout', signal: 'SIGTERM' }]);
  expect(folders()).toEqual([]);
});

test('an abort ends it likewise, is no failure of the video, and removes the folder', async () => {
  const leaving = new AbortController();
  const { engine, note, failures, folders } = createTestEngine(`${family} setInterval(() => {}, 1000);`);
  const rendering = engine.render(job, createRecordingContext(leaving.signal).context);
  const pids = await vi.waitFor(() => pidsOf(note('pids')), { timeout: 60_000 });
  expect(pids.map(runs)).toEqual([true, true]);
  leaving.abort(new Error('deleted'));
  await expect(rendering).rejects.toThrow('deleted');
  expect(pids.map(runs)).toEqual([false, false]);
  expect(failures).toEqual([]);
  expect(folders()).toEqual([]);
});

test('one that ignores the request to end is killed', async () => {
  const { engine, note } = createTestEngine(
    `process.on('SIGTERM', () => note('asked', 'yes')); ${family} setInterval(() => {}, 1000);`,
  );
  const rendering = engine.render(job, createRecordingContext().context);
  const pids = await vi.waitFor(() => pidsOf(note('pids')), { timeout: 60_000 });
  await Promise.all([engine.close?.(), expect(rendering).rejects.toThrow('the engine is closed')]);
  expect(note('asked')).toBe('yes');
  expect(pids.map(runs)).toEqual([false, false]);
});

test('what it leaves running when it has succeeded is killed', async () => {
  const { engine, note } = createTestEngine(`${family} grandchild.unref(); write('video.mp4'); process.exit(0);`);
  const { context, saved } = createRecordingContext();
  await engine.render(job, context);
  expect(saved.has('video')).toBe(true);
  await expect.poll(() => pidsOf(note('pids')).map(runs)).toEqual([false, false]);
});

test('more output than allowed ends it while it writes, and is refused at its end', async () => {
  const during = createTestEngine(
    `setInterval(() => fs.appendFileSync(job.output + '/part', Buffer.alloc(4096)), 5);`,
    {
      maxOutputBytes: 50_000,
    },
  );
  await expect(during.engine.render(job, createRecordingContext().context)).rejects.toMatchObject({
    code: 'command_output_too_large',
  });
  expect(during.failures[0]?.signal).toBe('SIGTERM');
  const after = createTestEngine(
    `write('video.mp4'); fs.mkdirSync(job.output + '/deep'); write('deep/rest', Buffer.alloc(60_000));`,
    {
      maxOutputBytes: 50_000,
    },
  );
  const { context, saved } = createRecordingContext();
  await expect(after.engine.render(job, context)).rejects.toMatchObject({ code: 'command_output_too_large' });
  expect(saved.size).toBe(0);
});

test('without prlimit a memory limit is a TypeError, not left out', () => {
  vi.stubEnv('PATH', '/nowhere');
  expect(() => createTestEngine('', { memoryBytes: 1 })).toThrow(/memoryBytes.*prlimit/);
  vi.unstubAllEnvs();
});

test.each([
  ['command', { command: '' }],
  ['command', { command: 'a\0b' }],
  ['args', { args: 'x' }],
  ['args[1]', { args: ['', 1] }],
  ['models', { models: {} }],
  ["models['m'].sizes", { models: { m: { sizes: ['big'] } } }],
  ["models['m'].seconds", { models: { m: { seconds: [] } } }],
  ["models['m'].maxSeconds", { models: { m: { maxSeconds: 0 } } }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['maxOutputBytes', { maxOutputBytes: 1.5 }],
  ['concurrency', { concurrency: 0 }],
  ['env.A', { env: { A: 'x\0' } }],
  ['surprise', { surprise: 1 }],
])('a wrong option is a TypeError that names it: %s', (option, wrong) => {
  const options = { command: 'x', models: { m: {} }, ...wrong } as Parameters<typeof createCommandVideos>[0];
  expect(() => createCommandVideos(options)).toThrow(`createCommandVideos: '${option}'`);
});

test.each([{ maxSeconds: 4 }, { seconds: ['4', '8'], maxSeconds: 4 }])('a length above the maximum: %j', (model) => {
  expect(() => createCommandVideos({ command: 'x', models: { m: model } })).toThrow(
    "createCommandVideos: 'models['m'].seconds' has '8', which is more than maxSeconds (4).",
  );
});

test('the example of the README makes a video', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n(.+?)```/s.exec(readme) ?? [];
  const [, script = ''] = /```sh\n(#!.+?)```/s.exec(readme) ?? [];
  expect(example).toContain("command: '/opt/render/render.sh'");
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  // The README's script, with a stand-in for the program that it calls.
  const standIn = `ffmpeg() { for last; do :; done; printf '\\0\\0\\0\\030ftypisom' > "$last"; echo out_time_us=1000000; }; jq() { node -p "JSON.parse(require('fs').readFileSync(0,'utf8'))$2"; }`;
  const { engine } = createTestEngine('', { command: 'sh', args: ['-c', `${standIn}\n${script}`] });
  const { context, saved, progress } = createRecordingContext();
  await engine.render(job, context);
  expect(saved.get('video')?.mediaType).toBe('video/mp4');
  expect(progress).toEqual([25]);
});
