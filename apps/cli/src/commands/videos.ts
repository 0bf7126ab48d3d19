import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { createVideos } from '@modelwire/videos';
import type { VideoCreateParams } from '@modelwire/videos';
import { CliError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { pathsOf } from '../config/paths.ts';
import { EXIT } from '../exit-codes.ts';
import { openFile } from '../open-file.ts';
import { videoColumns, videoFields } from '../output/shapes.ts';
import { listFlags, orderFlag, pageQuery, take } from '../paging.ts';
import { defineResource } from '../resource-commands.ts';
import { safeName, saveBody, saveFlags } from '../save-body.ts';
import { createFlags, createParams, finishVideo, waitForVideo } from '../video/create.ts';
import { fileNameOf, VARIANTS } from '../video/variants.ts';

const resource = defineResource({ id: 'video-id', list: 'videos list', fields: videoFields });
const completedArgument = { name: 'video-id', description: 'ID of a completed video' } as const;

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

export const create = defineCommand({
  arguments: [{ name: 'prompt', multiple: true, description: 'Description of the video' }],
  flags: {
    ...createFlags,
    image: {
      type: 'string',
      value: 'path',
      completes: 'file',
      description: 'Image for the first frame: a path, a URL or a file ID',
    },
  },
  examples: [
    { what: 'Start a video', line: 'modelwire videos create "A river at dawn" --seconds 8' },
    { what: 'Wait for a video and save it', line: 'modelwire videos create "A river at dawn" -o river.mp4' },
  ],
  async run(context) {
    const { args, flags, terminal, transport, signal } = context;
    const reference = flags.image === undefined ? undefined : await inputReference(flags.image, terminal.cwd);
    const video = await createVideos(await transport()).create(
      { prompt: args.join(' '), ...createParams(context), ...(reference && { input_reference: reference }) },
      { signal },
    );
    return finishVideo(context, video);
  },
});

async function inputReference(given: string, cwd: string): Promise<VideoCreateParams['input_reference']> {
  if (/^file-[\w-]+$/.test(given)) return { file_id: given };
  if (/^(https?|data):/i.test(given)) return { image_url: given };
  const type = IMAGE_TYPES[extname(given).toLowerCase()] ?? '';
  return new File([await openFile(resolve(cwd, given), type)], basename(given), { type });
}

export const remix = defineCommand({
  arguments: [{ ...completedArgument }, { name: 'prompt', multiple: true, description: 'Description of the change' }],
  flags: createFlags,
  description: 'Options that you omit keep the values of the source video.',
  examples: [{ what: 'Change the time of day', line: 'modelwire videos remix video_abc "The same at night" --wait' }],
  async run(context) {
    const { args, transport, signal } = context;
    const [videoId = '', ...words] = args;
    const params = { prompt: words.join(' '), ...createParams(context) };
    return finishVideo(context, await createVideos(await transport()).remix(videoId, params, { signal }));
  },
});

export const get = resource.call('Show the progress of a video', 'videos get video_abc123', (transport, id, options) =>
  createVideos(transport).retrieve(id, options),
);

export const wait = resource.wait(
  'Save a video when it is completed',
  'videos wait video_abc && modelwire videos download video_abc',
  waitForVideo,
  'Exits with 0 if the video is completed, and with 10 if it failed.',
);

export const download = defineCommand({
  arguments: [completedArgument],
  flags: { ...saveFlags, variant: { type: 'string', choices: VARIANTS, description: 'What to download' } },
  examples: [
    { what: 'Save the video', line: 'modelwire videos download video_abc' },
    { what: 'Save its thumbnail', line: 'modelwire videos download video_abc --variant thumbnail -o river.webp' },
  ],
  async run(context) {
    const { args, flags, transport, signal } = context;
    const [videoId = ''] = args;
    const { variant = 'video' } = flags;
    const response = await createVideos(await transport()).downloadContent(videoId, { variant }, { signal });
    await saveBody(context, response, fileNameOf(videoId, variant));
  },
});

export const open = defineCommand({
  arguments: [completedArgument],
  flags: {
    with: { type: 'string', value: 'program', description: 'Player (default: the player of the system)' },
  },
  examples: [{ what: 'Play a video', line: 'modelwire videos open video_abc123' }],
  async run(context) {
    const { args, flags, terminal, transport, print, signal } = context;
    const [videoId = ''] = args;
    const folder = join(pathsOf(terminal).cache, 'videos');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const output = join(folder, safeName(fileNameOf(videoId, 'video')));
    const response = await createVideos(await transport()).downloadContent(videoId, {}, { signal });
    await saveBody({ ...context, flags: { ...flags, output, force: true } }, response, output);
    const [program, ...words] = flags.with === undefined ? systemPlayer() : [flags.with];
    const child = spawn(program, [...words, output], { stdio: 'ignore', detached: true });
    try {
      await once(child, 'spawn');
    } catch {
      throw new CliError(
        EXIT.failure,
        `The program ${program} cannot be started.`,
        `The video is saved as ${output}. Specify another program with --with, such as --with mpv.`,
      );
    }
    child.unref();
    print.note(`Opened with ${program}.`);
  },
});

function systemPlayer(): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}

export const list = defineCommand({
  arguments: [],
  flags: { ...listFlags, ...orderFlag },
  examples: [{ what: 'List the newest videos', line: 'modelwire videos list' }],
  async run({ flags, transport, print, signal }) {
    const pages = createVideos(await transport()).list(pageQuery(flags), { signal });
    await print.rows(take(pages, flags), videoColumns, 'No videos.');
  },
});

const deleteVideos = resource.delete(
  'Delete a video, or stop its generation',
  'videos delete video_abc123',
  (transport, id, options) => createVideos(transport).delete(id, options),
);
export { deleteVideos as delete };
