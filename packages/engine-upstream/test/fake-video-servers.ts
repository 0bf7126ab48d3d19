import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { fakeServer, json } from './fake-server.ts';
import type { RecordedRequest } from './fake-server.ts';

/** What a fake was asked to make: fields as text, files as `<name> <media type> <content>`. */
export type RequestedVideo = Readonly<Record<string, unknown>>;

export interface FakeVideoServer {
  readonly baseURL: string;
  readonly requested: readonly RequestedVideo[];
}

interface StoredVideo {
  readonly id: string;
  readonly polls: number;
  readonly prompt: string;
}

/** The file of each video. */
type Render = (prompt: string) => string | Uint8Array;

const asText: Render = (prompt) => `video of ${prompt}`;

interface Replies {
  /** The status of the video after it was polled that often. */
  readonly video: (video: StoredVideo) => { readonly status: number; readonly body: object };
  readonly content: (response: ServerResponse, video: StoredVideo, query: URLSearchParams) => void;
  readonly readsJson: boolean;
}

async function fieldsOf({ headers, body, text }: RecordedRequest): Promise<RequestedVideo> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(text, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form)
    fields[name] = typeof value === 'string' ? value : `${value.name} ${value.type} ${await value.text()}`;
  return fields;
}

/** A server that renders in the background, and has its videos in memory. */
async function backgroundServer({ video: reply, content, readsJson }: Replies): Promise<FakeVideoServer> {
  const videos = new Map<string, StoredVideo>();
  const requested: RequestedVideo[] = [];
  const fake = await fakeServer(async (response, request) => {
    const { pathname, searchParams } = new URL(request.path ?? '', 'http://fake');
    const [, id, last] = /^\/v1\/videos(?:\/([^/]+))?(?:\/(content))?$/.exec(pathname) ?? [];
    if (id === undefined) {
      const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true;
      if (!isForm && !readsJson) {
        const missing = { type: 'missing', loc: ['body', 'prompt'], msg: 'Field required', input: null };
        json(response, 422, { detail: [missing] });
        return;
      }
      const fields = await fieldsOf(request);
      requested.push(fields);
      const created = { id: `video_gen_${requested.length}`, polls: 0, prompt: String(fields['prompt']) };
      videos.set(created.id, created);
      json(response, 200, { id: created.id, object: 'video', status: 'queued', progress: 0, created_at: 1 });
      return;
    }
    const found = videos.get(id);
    if (!found) json(response, 404, { detail: 'Video not found' });
    else if (last !== undefined) content(response, found, searchParams);
    else {
      const polled = { ...found, polls: found.polls + 1 };
      videos.set(id, polled);
      const { status, body } = reply(polled);
      json(response, status, { id, object: 'video', created_at: 1, ...body });
    }
  });
  onTestFinished(() => fake.close());
  return { baseURL: fake.baseURL, requested };
}

const sendWith =
  (render: Render) =>
  (response: ServerResponse, { prompt }: StoredVideo): void => {
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(render(prompt));
  };

/**
 * As vLLM-Omni 0.30.0: reads forms alone; a failed video has the status of its error; `/content` ignores `variant`. The prompt `fail`
 * fails.
 */
export function fakeVllmOmni(render = asText): Promise<FakeVideoServer> {
  return backgroundServer({
    readsJson: false,
    video({ polls, prompt }) {
      if (polls < 2) return { status: 200, body: { status: 'in_progress', progress: 0 } };
      if (prompt !== 'fail') return { status: 200, body: { status: 'completed', progress: 100 } };
      const error = { code: 400, message: 'Guidance of 50 is too high.' };
      return { status: 400, body: { status: 'failed', progress: 0, error } };
    },
    content: sendWith(render),
  });
}

export const storedURL = 'http://minio:9000/videos/video_gen_1.mp4';

/**
 * As SGLang 0.5.23: `variant` is the index of an output, and anything else a 404; a failed video has an error without a code. The prompt
 * `fail` fails. The video of the prompt `stored` is in cloud storage, as with `SGLANG_CLOUD_STORAGE_TYPE`.
 */
export function fakeSglang(render = asText): Promise<FakeVideoServer> {
  const sendVideo = sendWith(render);
  return backgroundServer({
    readsJson: true,
    video({ polls, prompt }) {
      if (polls < 2) return { status: 200, body: { status: 'queued', progress: 0 } };
      return prompt === 'fail'
        ? { status: 200, body: { status: 'failed', progress: 0, error: { message: 'CUDA out of memory' }, url: null } }
        : { status: 200, body: { status: 'completed', progress: 100, url: prompt === 'stored' ? storedURL : null } };
    },
    content(response, video, query) {
      if (video.prompt === 'stored') {
        const detail = `Video has been uploaded to cloud storage. Please use the cloud URL: ${storedURL}`;
        json(response, 400, { detail });
        return;
      }
      const variant = query.get('variant');
      if (variant === null || variant === '0') sendVideo(response, video);
      else json(response, 404, { detail: `Video variant ${variant} not found` });
    },
  });
}

/** As a hosted server whose videos have a `url` of their own, relative to it. It has no images. */
export function fakeHosted(render = asText): Promise<FakeVideoServer> {
  const sendVideo = sendWith(render);
  return backgroundServer({
    readsJson: true,
    video: () => ({ status: 200, body: { status: 'completed', progress: 100, url: '/files/video.mp4' } }),
    content(response, video, query) {
      if (query.get('variant') === 'video') sendVideo(response, video);
      else json(response, 404, { error: { message: 'Not found', type: 'invalid_request_error' } });
    },
  });
}

/** As Dynamo 1.6.1: one request, answered when the video is ready; a failure is a 200. The prompt `fail` fails. */
export async function fakeDynamo(render = asText): Promise<FakeVideoServer> {
  const requested: RequestedVideo[] = [];
  const fake = await fakeServer((response, { path, body }) => {
    if (path !== '/v1/videos') {
      response.writeHead(404).end();
      return;
    }
    requested.push(body);
    const prompt = String(body['prompt']);
    const common = { id: 'video-1', object: 'video', model: body['model'], created: 1 };
    if (prompt === 'fail') {
      json(response, 200, { ...common, status: 'failed', progress: 0, data: [], error: 'Size is required' });
      return;
    }
    const b64_json = Buffer.from(render(prompt)).toString('base64');
    const data = prompt === 'nothing' ? [] : [{ output_format: 'mp4', b64_json }];
    json(response, 200, { ...common, status: 'completed', progress: 100, data, inference_time_s: 1 });
  });
  onTestFinished(() => fake.close());
  return { baseURL: fake.baseURL, requested };
}
