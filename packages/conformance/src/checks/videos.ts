import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { mediaType, isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { numberAt, textAt } from '../exchange/value.ts';
import { completedVideo, hasEnded, newVideo, sharedVideo, pollUntil, videoBody } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { createThree, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';
import { assertErrorShape, successfulSample } from './shape.ts';
import { assertClientError, assertConforms, assertFields, assertStatus, assertSuccess, Skip } from '../verdict.ts';

const needs = ['videos.create'] as const;
const OBJECT = 'Video object';

const video = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(endpoint, name, { section: 'companion', certainty: 'likely', ...init });

const CONTENT_MAX_BYTES = 64 * 1024 ** 2;

async function fetchContent(context: RunContext, variant: string, range?: string): Promise<CompleteResponse> {
  const id = await completedVideo(context);
  return context.sendOnce(`video ${variant} ${range ?? ''}`, () => ({
    method: 'GET',
    path: `/videos/${id}/content`,
    query: [['variant', variant]],
    maxBytes: CONTENT_MAX_BYTES,
    ...(range !== undefined && { headers: { range } }),
  }));
}

const startsWith = ({ bytes }: CompleteResponse, at: number, text: string): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(at, at + text.length)) === text;

const previewCheck = (variant: string, format: string, isFormat: (response: CompleteResponse) => boolean): Check =>
  video('videos.content', variant, {
    title: `The ${variant} of a video is a ${format} image`,
    weight: 1,
    needs,
    phase: 'jobs',
    async run(context) {
      const response = await fetchContent(context, variant);
      assertSuccess(response);
      assertConforms(response, isFormat(response), `It is not ${format}.`);
    },
  });

const rejects = (name: string, title: string, field: string, changes: object, statuses: readonly number[] = []) =>
  rejectionChecks('videos.create', `refuses.${name}`, {
    title,
    section: 'companion',
    certainty: 'likely',
    field,
    statuses,
    call: (context) => ({ method: 'POST', path: '/videos', body: { ...videoBody(context), ...changes } }),
  });

/** Videos: create, render, retrieve, remix and delete. */
export const videoChecks: readonly Check[] = [
  video('videos.create', 'object', {
    title: 'A new video is queued, with progress 0 and the requested values',
    section: OBJECT,
    weight: 3,
    async run(context) {
      const response = await successfulSample(context, 'videos.create');
      assertFields(response, { object: 'video', status: 'queued', progress: 0, size: '720x1280', seconds: '4' });
    },
  }),
  video('videos.create', 'form', {
    title: 'A video can be created with a multipart form',
    async run(context) {
      const fields = Object.fromEntries(
        Object.entries(videoBody(context)).map(([name, value]) => [name, String(value)]),
      );
      const response = await context.send({ method: 'POST', path: '/videos', form: { fields } });
      assertSuccess(response);
    },
  }),
  ...rejects('seconds', 'Rejects unsupported seconds', 'seconds', { seconds: '5' }),
  ...rejects('size', 'Rejects an unsupported size', 'size', { size: '13x13' }),
  ...rejects('prompt', 'Rejects an empty prompt', 'prompt', { prompt: '' }),
  ...rejects('model', 'Rejects an unknown model', 'model', { model: 'no-video-model' }, [404]),
  video('videos.retrieve', 'same', {
    title: 'A retrieved video equals the created one',
    needs,
    async run(context) {
      const id = await sharedVideo(context);
      const response = await context.send({ method: 'GET', path: `/videos/${id}` });
      assertFields(response, { id });
      const progress = numberAt(response.json, 'progress') ?? -1;
      assertConforms(response, progress >= 0 && progress <= 100, `Its progress is ${progress}.`);
    },
  }),
  video('videos.retrieve', 'completes', {
    title: 'A video completes with progress 100',
    weight: 3,
    needs,
    phase: 'jobs',
    async run(context) {
      const id = await sharedVideo(context);
      const response = await pollUntil(context, `/videos/${id}`, ({ json }) => hasEnded(textAt(json, 'status')));
      assertFields(response, { status: 'completed', progress: 100 });
    },
  }),
  video('videos.content', 'mp4', {
    title: 'The content of a video is an MP4 file',
    weight: 3,
    needs,
    phase: 'jobs',
    async run(context) {
      const response = await fetchContent(context, 'video');
      assertSuccess(response);
      assertConforms(response, mediaType(response) === 'video/mp4', `Its content-type is ${mediaType(response)}.`);
      assertConforms(response, startsWith(response, 4, 'ftyp'), 'It does not start like an MP4 file.');
    },
  }),
  previewCheck('thumbnail', 'WebP', (response) => startsWith(response, 0, 'RIFF') && startsWith(response, 8, 'WEBP')),
  previewCheck('spritesheet', 'JPEG', ({ bytes }) => bytes[0] === 0xff && bytes[1] === 0xd8),
  video('videos.content', 'range', {
    title: 'Returns the bytes of a Range of a video',
    certainty: 'opinion',
    needs,
    phase: 'jobs',
    async run(context) {
      const whole = await fetchContent(context, 'video');
      const response = await fetchContent(context, 'video', 'bytes=4-7');
      assertStatus(response, 206);
      assertConforms(response, response.bytes.join() === whole.bytes.subarray(4, 8).join(), 'The bytes differ.');
    },
  }),
  video('videos.content', 'unfinished', {
    title: 'Rejects the content of a video that is not completed',
    weight: 1,
    needs,
    async run(context) {
      const id = await newVideo(context);
      const response = await context.send({
        method: 'GET',
        path: `/videos/${id}/content`,
        maxBytes: CONTENT_MAX_BYTES,
      });
      if (isSuccess(response)) throw new Skip('the video completed immediately');
      assertClientError(response);
      assertErrorShape(response);
    },
  }),
  ...pagingChecks({
    endpoint: 'videos.list',
    needs,
    createItems: createThree('videos', newVideo),
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  video('videos.remix', 'object', {
    title: 'A remix is a new video: queued, with progress 0 and the ID of its source',
    section: 'States and transitions',
    certainty: 'sure',
    weight: 3,
    needs,
    phase: 'jobs',
    async run(context) {
      const source = await completedVideo(context);
      const response = await successfulSample(context, 'videos.remix');
      assertConforms(response, textAt(response.json, 'id') !== source, 'It is the source itself.');
      assertFields(response, { status: 'queued', progress: 0, remixed_from_video_id: source });
    },
  }),
  video('videos.remix', 'unfinished', {
    title: 'Rejects a remix of a video that is not completed',
    section: 'Errors',
    certainty: 'sure',
    weight: 3,
    needs,
    async run(context) {
      const id = await newVideo(context);
      const response = await context.send({
        method: 'POST',
        path: `/videos/${id}/remix`,
        body: { prompt: 'The same at night' },
      });
      if (isSuccess(response)) {
        const source = await context.send({ method: 'GET', path: `/videos/${id}` });
        if (textAt(source.json, 'status') === 'completed') throw new Skip('the video completed immediately');
      }
      assertStatus(response, 400, 409);
      assertErrorShape(response);
    },
  }),
  ...rejectionChecks('videos.remix', 'refuses.empty', {
    title: 'Rejects an empty prompt',
    section: 'Remix video',
    certainty: 'likely',
    field: 'prompt',
    needs,
    phase: 'jobs',
    call: async (context) => ({
      method: 'POST',
      path: `/videos/${await completedVideo(context)}/remix`,
      body: { prompt: '' },
    }),
  }),
  video('videos.extend', 'object', {
    title: 'An extension is a new video: queued, with the seconds of its source and of the new part',
    weight: 3,
    needs,
    phase: 'jobs',
    async run(context) {
      const source = await completedVideo(context);
      const response = await successfulSample(context, 'videos.extend');
      const before = await context.send({ method: 'GET', path: `/videos/${source}` });
      assertConforms(response, textAt(response.json, 'id') !== source, 'It is the source itself.');
      const seconds = String(Number(textAt(before.json, 'seconds')) + 4);
      assertFields(response, { status: 'queued', seconds });
    },
  }),
  video('videos.delete', 'gone', {
    title: 'A deleted video is gone',
    weight: 3,
    needs,
    async run(context) {
      const id = await newVideo(context);
      const response = await context.send({ method: 'DELETE', path: `/videos/${id}` });
      assertSuccess(response);
      assertFields(response, { deleted: true });
      const after = await context.send({ method: 'GET', path: `/videos/${id}` });
      assertStatus(after, 404);
    },
  }),
];
