import type OpenAI from 'openai';
import type { VideoEngine } from '@modelwire/ports';
import { imageHeads } from '@modelwire/ports/testing';
import { expect, test, vi } from 'vitest';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { echoSpeech } from '../../testing/speech-engine.ts';

const rendering = vi.fn<VideoEngine['render']>(async () => {});
const film: VideoEngine = {
  name: 'film',
  models: () => [
    {
      id: 'film',
      created: 1,
      owned_by: 'tests',
      sizes: ['720x1280'],
      seconds: ['4'],
      inputReference: true,
      remix: true,
      extend: true,
      videoInput: true,
    },
  ],
  render: rendering,
};

/** A server whose stored contents a test damages, and what reaches its engines. */
async function serve() {
  const { stores, blobs, bytes } = memoryWork();
  const engine = scriptedEngine(() => says('Hello.'), { can: { inputs: ['text', 'image'], image_sources: ['data'] } });
  const reported: string[] = [];
  const { url, client } = await listen({
    engines: [engine],
    videoEngines: [film],
    speech: echoSpeech(),
    stores,
    blobs,
    worker: false,
    report: (what) => reported.push(what),
  });
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const damage = (): void => {
    for (const content of bytes.values())
      content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
  };
  return { client, post, damage, asked: engine.asked, reported };
}

const png = Buffer.from(imageHeads['image/png'](720, 1280));
const stored = async (client: OpenAI, name: string, content: Buffer, purpose: 'user_data' | 'vision') =>
  (await client.files.create({ file: new File([new Uint8Array(content)], name), purpose })).id;
const chat = (content: unknown) => ({ model: 'scripted', messages: [{ role: 'user', content }] });

test.each<readonly [what: string, request: (client: OpenAI) => Promise<readonly [path: string, body: object]>]>([
  [
    'a file of a chat',
    async (client) => {
      const file_id = await stored(client, 'a.txt', Buffer.from('a text'), 'user_data');
      return ['/chat/completions', chat([{ type: 'file', file: { file_id } }])];
    },
  ],
  [
    'an image of a response',
    async (client) => {
      const file_id = await stored(client, 'a.png', png, 'vision');
      const content = [{ type: 'input_image', file_id }];
      return ['/responses', { model: 'scripted', input: [{ role: 'user', content }] }];
    },
  ],
  [
    'the first frame of a video',
    async (client) => {
      const file_id = await stored(client, 'a.png', png, 'vision');
      return ['/videos', { prompt: 'Waves', input_reference: { file_id } }];
    },
  ],
  [
    'the transcript of generated speech',
    async (client) => {
      const spoken = await client.chat.completions.create({
        ...{ model: 'scripted', messages: [{ role: 'user', content: 'Say it.' }] },
        ...{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } },
      });
      const id = spoken.choices[0]?.message.audio?.id ?? '';
      const messages = [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'Again.' },
      ];
      return ['/chat/completions', { model: 'scripted', messages }];
    },
  ],
])('%s with damaged contents is a 500, and reaches no engine', async (_, requestOf) => {
  const { client, post, damage, asked, reported } = await serve();
  const [path, body] = await requestOf(client);
  const intact = await post(path, body);
  expect(intact.status, JSON.stringify(intact.body)).toBe(200);
  const before = asked.length;
  damage();
  expect(await post(path, body)).toMatchObject({ status: 500, body: { error: { code: 'content_corrupted' } } });
  expect(asked).toHaveLength(before);
  expect(reported).toContain('stored contents are damaged');
});
