import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFfmpeg } from '@modelwire/engine-command';
import { createUpstreamVideos } from '@modelwire/engine-upstream';
import { fakeDynamo, fakeSglang, fakeVllmOmni } from '@modelwire/engine-upstream/testing';
import { toFile } from 'openai';
import type OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveVideos } from '../testing/video-server.ts';

const fakes = { 'vllm-omni': fakeVllmOmni, sglang: fakeSglang, dynamo: fakeDynamo };
const missing = ['ffmpeg', 'ffprobe'].find((program) => spawnSync(program, ['-version']).error !== undefined);

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-presets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A video of two seconds. */
function testVideo(): Buffer {
  const file = join(testFolder(), 'video.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x32:rate=10:duration=2'];
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', file]);
  return readFileSync(file);
}

/** What ffprobe reads of a file: its length is rounded, and 0 for an image. */
function probe(bytes: Uint8Array) {
  const file = join(testFolder(), 'file');
  writeFileSync(file, bytes);
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height:format=duration', '-of', 'json', file];
  const { streams, format } = JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' })) as {
    readonly streams: readonly { readonly codec_name: string; readonly width: number; readonly height: number }[];
    readonly format: { readonly duration?: string };
  };
  const { codec_name: codec, width, height } = streams[0] ?? {};
  return { codec, width, height, seconds: Math.round(Number(format.duration ?? 0)) };
}

describe.skipIf(missing !== undefined)(
  `the presets of video servers with ffmpeg${missing === undefined ? '' : `: ${missing} is not installed`}`,
  () => {
    test.each([
      ['vllm-omni', { input_references: expect.stringMatching(/^video\.mp4 video\/mp4 /) as unknown }, /^image\.png /],
      ['sglang', { video_reference: expect.stringMatching(/^video\.mp4 video\/mp4 /) as unknown }, /^image\.png /],
      ['dynamo', { input_reference: expect.stringMatching(/^data:image\/png/) as unknown }, /^data:image\/png/],
    ] as const)(
      '%s: a video is made, remixed, edited and extended, with its images',
      { timeout: 120_000 },
      async (preset, fromSource, lastFrame) => {
        const rendered = testVideo();
        const { baseURL, requested } = await fakes[preset](() => rendered);
        const model = { sizes: ['64x32'], seconds: ['2'], ...(preset !== 'dynamo' && { remix: true }) };
        const failures: unknown[] = [];
        const engine = createUpstreamVideos({ baseURL, preset, models: { wan: model }, pollMs: 20 });
        const server = await serveVideos(withFfmpeg(engine, { report: (failure) => failures.push(failure) }));
        const { videos } = server.client;
        async function made(creation: Promise<OpenAI.Video>) {
          const { id } = await creation;
          const status = async () => (await videos.retrieve(id)).status;
          await expect.poll(status, { timeout: 60_000 }).toSatisfy((now) => now === 'completed' || now === 'failed');
          const video = await videos.retrieve(id);
          expect(video).toMatchObject({ status: 'completed', error: null });
          return video;
        }
        async function fileOf(id: string, variant: 'video' | 'thumbnail' | 'spritesheet') {
          const response = await videos.downloadContent(id, { variant });
          return { type: response.headers.get('content-type'), bytes: new Uint8Array(await response.arrayBuffer()) };
        }

        const boat = await made(videos.create({ model: 'wan', prompt: 'a boat' }));
        const remix = await made(videos.remix(boat.id, { prompt: 'a red boat' }));
        const edit = await made(videos.edit({ video: { id: boat.id }, prompt: 'a blue boat' }));
        const uploaded = await toFile(rendered, 'boat.mp4', { type: 'video/mp4' });
        const upload = await made(videos.edit({ video: uploaded, prompt: 'a green boat' }));
        const extension = await made(
          videos.extend({ video: { id: boat.id }, prompt: 'it sinks', seconds: '2' as OpenAI.VideoSeconds }),
        );
        expect(requested).toMatchObject([
          { prompt: 'a boat' },
          ...['a red boat', 'a blue boat', 'a green boat'].map((prompt) => ({ prompt, ...fromSource })),
          { prompt: 'it sinks', input_reference: expect.stringMatching(lastFrame) as unknown },
        ]);
        expect([remix, edit, extension].map((video) => video.remixed_from_video_id)).toEqual(Array(3).fill(boat.id));
        for (const { id } of [boat, remix, edit, upload]) {
          expect(Buffer.from((await fileOf(id, 'video')).bytes).equals(rendered)).toBe(true);
        }
        expect(extension.seconds).toBe('4');
        expect(probe((await fileOf(extension.id, 'video')).bytes)).toMatchObject({ width: 64, height: 32, seconds: 4 });
        for (const { id } of [boat, remix, edit, upload, extension]) {
          const [thumbnail, spritesheet] = [await fileOf(id, 'thumbnail'), await fileOf(id, 'spritesheet')];
          expect([thumbnail.type, spritesheet.type]).toEqual(['image/webp', 'image/jpeg']);
          expect(probe(thumbnail.bytes)).toMatchObject({ codec: 'webp', width: 64, height: 32 });
          expect(probe(spritesheet.bytes)).toMatchObject({ codec: 'mjpeg', width: 5 * 64, height: 2 * 32 });
        }
        expect([failures, server.reported]).toEqual([[], []]);
      },
    );
  },
);
