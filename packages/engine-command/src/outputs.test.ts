import { expect, test } from 'vitest';
import { createTestEngine, job, mp4, png, createRecordingContext } from './testing/running.ts';

const image = `Buffer.from('${png.toString('base64')}', 'base64')`;

test('outputs may have other names, given by the last JSON line with names', async () => {
  const { engine } = createTestEngine(`
    fs.mkdirSync(job.output + '/out'); write('out/final.bin'); write('s', ${image}); write('early.mp4', Buffer.alloc(20));
    console.log(JSON.stringify({ video: 'early.mp4' }));
    console.log(JSON.stringify({ progress: 90, video: job.output + '/out/final.bin', spritesheet: './s' }));
    console.log('{"progress": 99}'); console.log('done');`);
  const { context, saved } = createRecordingContext();
  await engine.render(job, context);
  expect([...saved.keys()]).toEqual(['video', 'spritesheet']);
  expect(saved.get('video')?.bytes).toEqual(mp4);
  expect(saved.get('spritesheet')?.mediaType).toBe('image/png');
});

test.each([
  ['no video', ''],
  ['an empty video', `write('video.mp4', '');`],
  ['a video that is none', `write('video.mp4', 'text');`],
  ['a picture that is none', `write('video.mp4'); write('thumbnail.jpg', '<svg/>');`],
  ['a link to a file elsewhere', `write('../elsewhere'); fs.symlinkSync('../elsewhere', job.output + '/video.mp4');`],
  ['a link to a file inside', `write('real.mp4'); fs.symlinkSync('real.mp4', job.output + '/video.mp4');`],
  ['a way out', `write('../elsewhere'); console.log('{"video": "../elsewhere"}');`],
  [
    'an absolute path outside',
    `write('../elsewhere'); console.log(JSON.stringify({ video: process.cwd() + '/elsewhere' }));`,
  ],
  [
    'a folder that is a link outside',
    `write('../elsewhere'); fs.symlinkSync('..', job.output + '/up'); console.log('{"video": "up/elsewhere"}');`,
  ],
  ['the folder itself', `console.log('{"video": "."}');`],
  ['a folder', `fs.mkdirSync(job.output + '/video.mp4');`],
  ['a named file that is not there', `write('video.mp4'); console.log('{"thumbnail": "gone.png"}');`],
  ['a name with NUL', String.raw`write('video.mp4'); console.log('{"video": "video.mp4\\u0000"}');`],
])('is command_output_invalid, and nothing is kept: %s', async (_, source) => {
  const { engine, failures, folders, notes } = createTestEngine(source);
  const { context, saved } = createRecordingContext();
  const failure: unknown = await engine.render(job, context).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'VideoError', code: 'command_output_invalid' });
  expect(String(failure)).not.toContain(notes);
  expect(failures).toMatchObject([{ code: 'command_output_invalid', exitCode: 0 }]);
  expect(saved.size).toBe(0);
  expect(folders()).toEqual([]);
});
