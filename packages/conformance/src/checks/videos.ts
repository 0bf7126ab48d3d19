import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { mediaType, isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { numberAt, textAt, valueAt } from '../exchange/value.ts';
import { completedVideo, hasEnded, newVideo, sharedVideo, pollUntil, videoBody } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { createThree, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';
import { assertErrorShape, successfulSample } from './shape.ts';
import { assertConforms, assertSuccess, Skip } from '../verdict.ts';

const needs = ['videos.create'] as const;
const OBJECT = 'Video object';

const video = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(endpoint, name, { section: 'companion', certainty: 'likely', ...init });

const CONTENT_MAX_BYTES = 64 * 1024 ** 2;

async function fetchContent(world: World, variant: string, range?: string): Promise<Answer> {
  const id = await completedVideo(world);
  return world.sendOnce(`video ${variant} ${range ?? ''}`, () => ({
    method: 'GET',
    path: `/videos/${id}/content`,
    query: [['variant', variant]],
    maxBytes: CONTENT_MAX_BYTES,
    ...(range !== undefined && { headers: { range } }),
  }));
}

const startsWith = ({ bytes }: Answer, at: number, text: string): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(at, at + text.length)) === text;

const previewCheck = (variant: string, format: string, isFormat: (answer: Answer) => boolean): Check =>
  video('videos.content', variant, {
    title: `The ${variant} of a video is a ${format} image`,
    weight: 1,
    needs,
    job: true,
    async run(world) {
      const answer = await fetchContent(world, variant);
      assertSuccess(answer);
      assertConforms(answer, isFormat(answer), `It is not ${format}.`);
    },
  });

const rejects = (name: string, title: string, field: string, changes: object, statuses: readonly number[] = []) =>
  rejectionChecks('videos.create', `refuses.${name}`, {
    title,
    section: 'companion',
    certainty: 'likely',
    field,
    statuses,
    call: (world) => ({ method: 'POST', path: '/videos', body: { ...videoBody(world), ...changes } }),
  });

/** Videos: create, render, retrieve, remix and delete. */
export const videoChecks: readonly Check[] = [
  video('videos.create', 'object', {
    title: 'A new video is queued, with progress 0 and the requested values',
    section: OBJECT,
    weight: 3,
    async run(world) {
      const answer = await successfulSample(world, 'videos.create');
      const expected = { object: 'video', status: 'queued', progress: 0, size: '720x1280', seconds: '4' };
      for (const [field, value] of Object.entries(expected)) {
        assertConforms(answer, valueAt(answer.json, field) === value, `Its ${field} is ${String(valueAt(answer.json, field))} instead of ${value}.`); // prettier-ignore
      }
    },
  }),
  video('videos.create', 'form', {
    title: 'A video can be created with a multipart form',
    async run(world) {
      const fields = Object.fromEntries(Object.entries(videoBody(world)).map(([name, value]) => [name, String(value)]));
      const answer = await world.send({ method: 'POST', path: '/videos', form: { fields } });
      assertSuccess(answer);
    },
  }),
  ...rejects('seconds', 'Rejects unsupported seconds', 'seconds', { seconds: '5' }),
  ...rejects('size', 'Rejects an unsupported size', 'size', { size: '13x13' }),
  ...rejects('prompt', 'Rejects an empty prompt', 'prompt', { prompt: '' }),
  ...rejects('model', 'Rejects an unknown model', 'model', { model: 'no-video-model' }, [404]),
  video('videos.retrieve', 'same', {
    title: 'A retrieved video equals the created one',
    needs,
    async run(world) {
      const id = await sharedVideo(world);
      const answer = await world.send({ method: 'GET', path: `/videos/${id}` });
      assertConforms(answer, textAt(answer.json, 'id') === id, 'Its ID differs.');
      const progress = numberAt(answer.json, 'progress') ?? -1;
      assertConforms(answer, progress >= 0 && progress <= 100, `Its progress is ${progress}.`);
    },
  }),
  video('videos.retrieve', 'completes', {
    title: 'A video completes with progress 100',
    weight: 3,
    needs,
    job: true,
    async run(world) {
      const id = await sharedVideo(world);
      const answer = await pollUntil(world, `/videos/${id}`, ({ json }) => hasEnded(textAt(json, 'status')));
      assertConforms(
        answer,
        textAt(answer.json, 'status') === 'completed',
        `Its status is ${String(textAt(answer.json, 'status'))}.`,
      );
      assertConforms(answer, numberAt(answer.json, 'progress') === 100, `Its progress is ${String(valueAt(answer.json, 'progress'))}.`); // prettier-ignore
    },
  }),
  video('videos.content', 'mp4', {
    title: 'The content of a video is an MP4 file',
    weight: 3,
    needs,
    job: true,
    async run(world) {
      const answer = await fetchContent(world, 'video');
      assertSuccess(answer);
      assertConforms(answer, mediaType(answer) === 'video/mp4', `Its content-type is ${mediaType(answer)}.`);
      assertConforms(answer, startsWith(answer, 4, 'ftyp'), 'It does not start like an MP4 file.');
    },
  }),
  previewCheck('thumbnail', 'WebP', (answer) => startsWith(answer, 0, 'RIFF') && startsWith(answer, 8, 'WEBP')),
  previewCheck('spritesheet', 'JPEG', ({ bytes }) => bytes[0] === 0xff && bytes[1] === 0xd8),
  video('videos.content', 'range', {
    title: 'Returns the bytes of a Range of a video',
    certainty: 'opinion',
    needs,
    job: true,
    async run(world) {
      const whole = await fetchContent(world, 'video');
      const answer = await fetchContent(world, 'video', 'bytes=4-7');
      assertConforms(answer, answer.status === 206, `The response has status ${answer.status}.`);
      assertConforms(answer, answer.bytes.join() === whole.bytes.subarray(4, 8).join(), 'The bytes differ.');
    },
  }),
  video('videos.content', 'unfinished', {
    title: 'Rejects the content of a video that is not completed',
    weight: 1,
    needs,
    async run(world) {
      const id = await newVideo(world);
      const answer = await world.send({ method: 'GET', path: `/videos/${id}/content`, maxBytes: CONTENT_MAX_BYTES });
      if (isSuccess(answer)) throw new Skip('the video completed immediately');
      assertConforms(answer, answer.status >= 400 && answer.status < 500, `The response has status ${answer.status}.`);
      assertErrorShape(answer);
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
    job: true,
    async run(world) {
      const source = await completedVideo(world);
      const answer = await successfulSample(world, 'videos.remix');
      assertConforms(answer, textAt(answer.json, 'id') !== source, 'It is the source itself.');
      assertConforms(
        answer,
        textAt(answer.json, 'status') === 'queued',
        `Its status is ${String(textAt(answer.json, 'status'))}.`,
      );
      assertConforms(
        answer,
        numberAt(answer.json, 'progress') === 0,
        `Its progress is ${String(valueAt(answer.json, 'progress'))}.`,
      );
      assertConforms(
        answer,
        textAt(answer.json, 'remixed_from_video_id') === source,
        'remixed_from_video_id is not the source.',
      );
    },
  }),
  video('videos.remix', 'unfinished', {
    title: 'Rejects a remix of a video that is not completed',
    section: 'Errors',
    certainty: 'sure',
    weight: 3,
    needs,
    async run(world) {
      const id = await newVideo(world);
      const answer = await world.send({ method: 'POST', path: `/videos/${id}/remix`, body: { prompt: 'The same at night' } }); // prettier-ignore
      if (isSuccess(answer)) {
        const source = await world.send({ method: 'GET', path: `/videos/${id}` });
        if (textAt(source.json, 'status') === 'completed') throw new Skip('the video completed immediately');
      }
      assertConforms(
        answer,
        answer.status === 400 || answer.status === 409,
        `The response has status ${answer.status}.`,
      );
      assertErrorShape(answer);
    },
  }),
  ...rejectionChecks('videos.remix', 'refuses.empty', {
    title: 'Rejects an empty prompt',
    section: 'Remix video',
    certainty: 'likely',
    field: 'prompt',
    needs,
    job: true,
    call: async (world) => ({ method: 'POST', path: `/videos/${await completedVideo(world)}/remix`, body: { prompt: '' } }), // prettier-ignore
  }),
  video('videos.delete', 'gone', {
    title: 'A deleted video is gone',
    weight: 3,
    needs,
    async run(world) {
      const id = await newVideo(world);
      const answer = await world.send({ method: 'DELETE', path: `/videos/${id}` });
      assertSuccess(answer);
      assertConforms(answer, valueAt(answer.json, 'deleted') === true, 'The response does not confirm the deletion.');
      const after = await world.send({ method: 'GET', path: `/videos/${id}` });
      assertConforms(after, after.status === 404, `Retrieving it returns ${after.status}.`);
    },
  }),
];
