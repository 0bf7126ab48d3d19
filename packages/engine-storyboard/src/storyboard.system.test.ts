import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createStoryboardEngine } from './index.ts';
import { jobOf, rendered } from './testing/job.ts';

/** Counts the frames of a video with ffprobe, which decodes all of them. */
async function probe(video: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-probe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'video.mp4');
  await writeFile(file, video);
  const fields = 'stream=codec_name,width,height,pix_fmt,r_frame_rate,duration,nb_read_frames';
  const options = ['-v', 'error', '-count_frames', '-show_entries', fields, '-of', 'csv=p=0', file];
  return (await promisify(execFile)('ffprobe', options)).stdout;
}

test('ffprobe counts the frames of a rendered video', async () => {
  const engine = createStoryboardEngine();
  onTestFinished(() => engine.close?.());
  const { video } = await rendered(engine, jobOf({ prompt: 'A sailboat', width: 720, height: 1280, seconds: 4 }));
  expect(await probe(video)).toBe('h264,720,1280,yuv420p,24/1,4.000000,96\n');
});
