import { VideoError, VideoRetry } from '@modelwire/ports';
import type { VideoContext, VideoJob, VideoSource } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { fakeDynamo, fakeHosted, fakeSglang, fakeVllmOmni, storedURL } from '../../test/fake-video-servers.ts';
import { createUpstreamVideos } from './upstream-videos.ts';
import type { DownloadVideo, UpstreamVideoModel } from './upstream-videos.ts';
import type { VideoPresetName } from './video-presets.ts';

const fakes = { hosted: fakeHosted, 'vllm-omni': fakeVllmOmni, sglang: fakeSglang, dynamo: fakeDynamo };
const job: VideoJob = {
  ...{ id: 'video_1', model: 'wan', prompt: 'a boat', width: 832, height: 480, seconds: 5, seed: 7 },
  ...{ uploadedSource: undefined, inputReference: undefined, source: undefined, extensionSeconds: undefined },
};
const inputReference = { mediaType: 'image/png', bytes: Buffer.from('pixels') };
const source: VideoSource = {
  ...{ id: 'video_0', model: 'wan', prompt: 'a lake', width: 832, height: 480, seconds: 5, seed: 7 },
  ...{ source: undefined, checkpoint: 'video_gen_0', extensionSeconds: undefined },
  read: () => new Blob(['the lake']).stream(),
};

/** Starts the fake of a preset, and the engine in front of it. */
async function setUp(
  preset: VideoPresetName,
  model: UpstreamVideoModel = {},
  options: { readonly download?: DownloadVideo } = {},
) {
  const server = await fakes[preset]();
  const models = { wan: { upstreamModel: 'Wan-AI/Wan2.2', ...model } };
  const engine = createUpstreamVideos({ baseURL: server.baseURL, preset, pollMs: 1, models, ...options });
  const saved: string[] = [];
  const checkpoints: string[] = [];
  const context: VideoContext = {
    signal: new AbortController().signal,
    checkpoint: undefined,
    progress: () => undefined,
    async saveCheckpoint(checkpoint) {
      checkpoints.push(checkpoint);
    },
    async save(variant, mediaType, bytes) {
      saved.push(`${variant} ${mediaType} ${await new Response(ReadableStream.from(bytes)).text()}`);
    },
  };
  return {
    ...{ server, engine, saved, checkpoints },
    render: (init: Partial<VideoJob> = {}, checkpoint?: string) =>
      engine.render({ ...job, ...init }, { ...context, checkpoint }),
  };
}

const fields = { model: 'Wan-AI/Wan2.2', prompt: 'a boat', size: '832x480', seconds: '5' };

test.each(['vllm-omni', 'sglang', 'dynamo'] as const)('%s: a video is made, without a thumbnail', async (preset) => {
  const { saved, render } = await setUp(preset);
  await render();
  expect(saved).toEqual(['video video/mp4 video of a boat']);
});

test('vllm-omni: requests are forms, with the seed and the parameters of the model', async () => {
  const { server, render } = await setUp('vllm-omni', { parameters: { fps: 16, extra_params: { sharpness: 2 } } });
  await render({ inputReference });
  const image = 'image.png image/png pixels';
  const parameters = { fps: '16', extra_params: '{"sharpness":2}', seed: '7' };
  expect(server.requested).toEqual([{ ...fields, ...parameters, input_reference: image }]);
});

test('sglang: requests are JSON, and forms with an image', async () => {
  const { server, render } = await setUp('sglang', { parameters: { num_inference_steps: 20 } });
  await render();
  await render({ inputReference });
  expect(server.requested).toEqual([
    { ...fields, num_inference_steps: 20, seed: 7 },
    { ...fields, num_inference_steps: '20', seed: '7', input_reference: 'image.png image/png pixels' },
  ]);
});

test('dynamo: one request, with the seed and parameters in `nvext` and the image as a data URL', async () => {
  const { server, render, checkpoints } = await setUp('dynamo', { parameters: { nvext: { fps: 16 } } });
  await render({ inputReference });
  const input_reference = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;
  const nvext = { seed: 7, fps: 16 };
  expect(server.requested).toEqual([{ ...fields, seconds: 5, response_format: 'b64_json', nvext, input_reference }]);
  expect(checkpoints).toEqual([]);
});

test.each([
  ['vllm-omni', 'input_references'],
  ['sglang', 'video_reference'],
] as const)('%s: the source of a remix is an input of the model, if it has one', async (preset, field) => {
  const { server, engine, render } = await setUp(preset, { remix: true });
  expect(engine.models()[0]?.remix).toBe(true);
  await render({ source });
  await render({ uploadedSource: { read: () => new Blob(['the sea']).stream() } });
  expect(server.requested[0]).toMatchObject({ prompt: 'a boat', [field]: 'video.mp4 video/mp4 the lake' });
  expect(server.requested[1]).toMatchObject({ prompt: 'a boat', [field]: 'video.mp4 video/mp4 the sea' });
});

test('a model remixes and extends by default if the server has endpoints for it', async () => {
  const uses = (preset: VideoPresetName) => {
    const [model] = createUpstreamVideos({ baseURL: 'http://127.0.0.1:1/v1', preset, models: { wan: {} } }).models();
    return [model?.remix, model?.extend];
  };
  const [yes, no] = [
    [true, true],
    [false, false],
  ];
  expect((['hosted', 'vllm-omni', 'sglang', 'dynamo'] as const).map(uses)).toEqual([yes, no, no, no]);
  const models = { wan: { remix: true } };
  expect(() => createUpstreamVideos({ baseURL: 'http://127.0.0.1:1/v1', preset: 'dynamo', models })).toThrow(
    "createUpstream: models.wan.remix is not possible with the preset 'dynamo'.",
  );
});

test.each([
  ['vllm-omni', 'upstream_failed', 'Guidance of 50 is too high.'],
  ['sglang', 'upstream_failed', 'CUDA out of memory'],
  ['dynamo', 'upstream_failed', 'Size is required'],
] as const)('%s: a failed video has the error of the server', async (preset, code, message) => {
  const { render } = await setUp(preset);
  const failure = await render({ prompt: 'fail' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(VideoError);
  expect(failure).not.toBeInstanceOf(VideoRetry);
  expect(failure).toMatchObject({ code, message });
});

test.each(['vllm-omni', 'sglang'] as const)('%s: a video that a restart lost is created again', async (preset) => {
  const { server, saved, checkpoints, render } = await setUp(preset);
  await expect(render({}, 'video_gen_9')).rejects.toThrow(VideoRetry);
  expect(checkpoints).toEqual(['']);
  await render({}, checkpoints[0]);
  expect(server.requested).toHaveLength(1);
  expect(checkpoints).toEqual(['', 'video_gen_1']);
  expect(saved).toHaveLength(1);
});

test('sglang: a video in cloud storage is downloaded from there, and fails if nothing downloads it', async () => {
  const downloaded: string[] = [];
  const download: DownloadVideo = async (url) => {
    downloaded.push(url);
    return { mediaType: 'video/mp4', bytes: new Blob(['stored video']).stream() };
  };
  const { saved, render } = await setUp('sglang', {}, { download });
  await render({ prompt: 'stored' });
  expect(downloaded).toEqual([storedURL]);
  expect(saved).toEqual(['video video/mp4 stored video']);
  const without = await setUp('sglang');
  await expect(without.render({ prompt: 'stored' })).rejects.toThrow('Video has been uploaded to cloud storage.');
});

test('hosted: the `url` of a video is not opened', async () => {
  const download: DownloadVideo = () => Promise.reject(new VideoError('video_not_downloaded', 'A private address.'));
  const { saved, render } = await setUp('hosted', {}, { download });
  await render();
  expect(saved).toEqual(['video video/mp4 video of a boat']);
});

test.each([
  ['hosted', {}, 120],
  ['hosted', { maxSeconds: 60 }, 60],
  ['sglang', {}, undefined],
] as const)('%s, %j: the maximum length of a video is %s', async (preset, model, maxSeconds) => {
  expect((await setUp(preset, model)).engine.models()).toMatchObject([{ maxSeconds }]);
});

test('dynamo: a reply without a video fails', async () => {
  const { render } = await setUp('dynamo');
  await expect(render({ prompt: 'nothing' })).rejects.toMatchObject({ code: 'upstream_malformed' });
});

test('names an unknown preset and an unknown option of a model', () => {
  const create = (options: object) => () =>
    createUpstreamVideos({ baseURL: 'http://127.0.0.1:1/v1', models: { wan: {} }, ...options });
  expect(create({ preset: 'vllm' })).toThrow('preset must be one of hosted, vllm-omni, sglang, dynamo');
  expect(create({ models: { wan: { size: '832x480' } } })).toThrow("models.wan has an unknown key 'size'");
  expect(create({ models: { wan: { maxSeconds: 0 } } })).toThrow('models.wan.maxSeconds must be an integer');
  const isLonger = "models.wan.seconds has '8', which is more than maxSeconds (4)";
  expect(create({ models: { wan: { maxSeconds: 4 } } })).toThrow(isLonger);
  expect(create({ models: { wan: { seconds: ['4', '8'], maxSeconds: 4 } } })).toThrow(isLonger);
  expect(create({ models: { wan: { seconds: ['180'] } } })).toThrow('more than maxSeconds (120)');
});
