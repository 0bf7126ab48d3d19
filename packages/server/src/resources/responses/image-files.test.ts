import { expect, test } from 'vitest';
import { imageHeads } from '@modelwire/ports/testing';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { postResponse, refusalOf } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const image = (file_id: string) => [{ role: 'user', content: [{ type: 'input_image', file_id, detail: 'low' }] }];
const ask = { model: 'scripted', store: false };
const png = Buffer.from(imageHeads['image/png'](4, 4));

async function serve() {
  const engine = scriptedEngine(() => says('Hi'), { can: { inputs: ['text', 'image'] } });
  const { stores, blobs } = memoryWork();
  const { url, client } = await listen({ engines: [engine], stores, blobs });
  const upload = async (content: Buffer) =>
    (await client.files.create({ file: new File([Uint8Array.from(content)], 'a.png'), purpose: 'vision' })).id;
  return { engine, url, upload };
}

test('an image that was uploaded reaches the engine', async () => {
  const { engine, url, upload } = await serve();
  const response = await postResponse(url, { ...ask, input: image(await upload(png)) });
  expect(response.status).toBe(200);
  const image_url = { url: `data:image/png;base64,${png.toString('base64')}`, detail: 'low' };
  expect(engine.asked[0]?.request.messages).toEqual([{ role: 'user', content: [{ type: 'image_url', image_url }] }]);
});

test('returns 404 for an image of an unknown file and 400 for a file that is not an image, and names the file', async () => {
  const { url, upload } = await serve();
  const param = 'input[0].content[0].file_id';
  const unknown = await refusalOf(await postResponse(url, { ...ask, input: image('file-none') }));
  expect(unknown).toMatchObject({ status: 404, code: 'not_found', param });
  const text = await upload(Buffer.from('no image'));
  const refused = await refusalOf(await postResponse(url, { ...ask, input: image(text) }));
  expect(refused).toMatchObject({ status: 400, code: 'invalid_image', param });
});

test('a client cannot name a stored file in a URL', async () => {
  const { url, upload } = await serve();
  const id = await upload(png);
  const content = [{ type: 'input_image', image_url: `modelwire-file:${id}` }];
  const refused = await refusalOf(await postResponse(url, { ...ask, input: [{ role: 'user', content }] }));
  expect(refused).toMatchObject({ status: 400, param: 'input[0].content[0].image_url' });
});
