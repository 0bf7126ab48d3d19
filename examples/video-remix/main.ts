// Creates a video from a prompt, remixes it with another prompt, and saves both with their thumbnails.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Modelwire } from '@modelwire/client';
import type { Video } from '@modelwire/client';

const { videos } = new Modelwire();
const folder = process.argv[2] ?? 'videos';
await mkdir(folder, { recursive: true });

async function save(name: string, { id }: Video): Promise<void> {
  const done = await videos.wait(id, { pollMs: 500, onUpdate: ({ progress }) => console.error(name, `${progress} %`) });
  if (done.status !== 'completed') throw new Error(`${name}: ${done.error?.message ?? done.status}`);
  const { body } = await videos.downloadContent(id);
  const thumbnail = await videos.downloadContent(id, { variant: 'thumbnail' });
  if (body !== null) await writeFile(join(folder, `${name}.mp4`), body);
  await writeFile(join(folder, `${name}.webp`), new Uint8Array(await thumbnail.arrayBuffer()));
  console.log(`saved ${name}.mp4, ${done.seconds} s of ${done.size}`);
}

const boat = await videos.create({ prompt: 'A red boat at sunset', seconds: '4' });
await save('boat', boat);
const remix = await videos.remix(boat.id, { prompt: 'The same at night, with rain' });
await save('remix', remix);
console.log(`-- the remix is of the first: ${remix.remixed_from_video_id === boat.id}`);
