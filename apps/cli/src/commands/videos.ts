import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Video, VideoCreateParams, VideoVariant } from '@modelwire/client';
import type { App, Define } from '../app.ts';
import { CliError, usageError } from '../cli-error.ts';
import { pathsOf } from '../config/paths.ts';
import { EXIT } from '../exit-codes.ts';
import { openFile } from '../open-file.ts';
import { choice } from '../option-values.ts';
import { videoColumns, videoFields } from '../output/shapes.ts';
import { listCommand, orderOption, pageQuery, take } from '../paging.ts';
import { resourceCommands } from '../resource-commands.ts';
import { safeName, saveBody, withSaveOptions } from '../save-body.ts';
import { subcommand } from '../subcommand.ts';
import type { Examples } from '../subcommand.ts';
import { waitFor, withWaitOptions } from '../wait-for.ts';
import type { WaitFlags } from '../wait-for.ts';

const SUFFIXES = { video: '.mp4', thumbnail: '-thumbnail.webp', spritesheet: '-spritesheet.jpg' } as const;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

export const define: Define = (group, app) => {
  const { client, terminal, print, signal } = app;
  const resource = resourceCommands(group, app, { id: 'video-id', example: 'video_abc123', fields: videoFields });

  withCreateOptions(
    subcommand(group, 'create', 'Generate a video from a prompt', {
      'Start a video': 'modelwire videos create "A river at dawn" --seconds 8',
      'Wait for a video and save it': 'modelwire videos create "A river at dawn" -o river.mp4',
    }),
  )
    .argument('<prompt...>', 'Description of the video')
    .option('--image <path>', 'Image for the first frame: a path, a URL or a file ID')
    .action(async (words, flags) => {
      const { image, model, seconds, size } = flags;
      const input_reference = image === undefined ? undefined : await inputReference(image, terminal.cwd);
      const { videos } = await client();
      await finish(
        await videos.create({ prompt: words.join(' '), model, seconds, size, input_reference }, { signal }),
        flags,
      );
    });

  withCreateOptions(
    resource.withId('remix', 'Generate a variation of a video', {
      'Change the time of day': 'modelwire videos remix video_abc "The same at night" --wait',
    }),
  )
    .description('Options that you omit keep the values of the source video.')
    .argument('<prompt...>', 'Description of the change')
    .action(async (id, words, flags) => {
      const { model, seconds, size } = flags;
      const { videos } = await client();
      await finish(await videos.remix(id, { prompt: words.join(' '), model, seconds, size }, { signal }), flags);
    });

  withRenderOptions(
    withSource('edit', 'Change a video or a video file', {
      'Change the time of day in a file': 'modelwire videos edit river.mp4 "The same at night" -o night.mp4',
    }),
  )
    .description('Changes a completed video on the server. An MP4 file is uploaded first.')
    .argument('<prompt...>', 'Description of the change')
    .action(async (source, words, flags) => {
      const video = await sourceVideo(source, terminal.cwd);
      const { videos } = await client();
      await finish(await videos.edit({ video, prompt: words.join(' ') }, { signal }), flags);
    });

  withRenderOptions(
    withSource('extend', 'Continue a video or a video file', {
      'Add eight seconds': 'modelwire videos extend video_abc "The storm passes" --seconds 8 -o storm.mp4',
    }),
  )
    .description('Creates a video that contains the source and the new part. An MP4 file is uploaded first.')
    .argument('<prompt...>', 'Description of the new part')
    .option('--seconds <seconds>', 'Duration of the new part in seconds', '4')
    .action(async (source, words, flags) => {
      const { seconds } = flags;
      const video = await sourceVideo(source, terminal.cwd);
      const { videos } = await client();
      await finish(await videos.extend({ video, prompt: words.join(' '), seconds }, { signal }), flags);
    });

  resource.call('get', 'Show a video', ({ videos }, id, options) => videos.retrieve(id, options));

  withWaitOptions(
    resource.withId('wait', 'Wait until a video is completed', {
      'Save a video when it is completed': 'modelwire videos wait video_abc && modelwire videos download video_abc',
    }),
  )
    .description('Exits with 0 if the video is completed, and with 10 if it failed.')
    .action(async (id, flags) => resource.printEnded(await waitForVideo(app, id, flags)));

  withSaveOptions(
    resource.withId('download', 'Download a video, its thumbnail or its spritesheet', {
      'Save the video': 'modelwire videos download video_abc',
      'Save its thumbnail': 'modelwire videos download video_abc --variant thumbnail -o river.webp',
    }),
  )
    .addOption(choice('--variant <variant>', 'What to download', ['video', 'thumbnail', 'spritesheet']))
    .action((id, flags) => save(id, flags));

  resource
    .withId('open', 'Open a video in a player')
    .option('--with <program>', 'Player (default: the player of the system)')
    .action(async (id, flags) => {
      const folder = join(pathsOf(terminal).cache, 'videos');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const output = join(folder, safeName(id + SUFFIXES.video));
      await save(id, { output, force: true });
      await open(flags.with === undefined ? systemPlayer() : [flags.with], output);
    });

  listCommand(group, 'List videos, newest first', { 'List the newest videos': 'modelwire videos list' })
    .addOption(orderOption())
    .action(async (flags) => {
      const list = (await client()).videos.list({ ...pageQuery(flags), order: flags.order }, { signal });
      await print.rows(take(list, flags), videoColumns, 'No videos.');
    });

  resource.delete('Delete videos, or stop their generation', ({ videos }, id, options) => videos.delete(id, options));

  /** A command that starts from a video of the server or from a file. */
  function withSource(name: string, summary: string, examples: Examples) {
    return subcommand(group, name, summary, examples).argument(
      '<video>',
      'ID from modelwire videos list, or the path of an MP4 file',
    );
  }

  /** Prints a new video, or waits for it and saves it, depending on the options. */
  async function finish(created: Video, flags: FinishFlags): Promise<void> {
    const { id } = created;
    const { wait = false, output } = flags;
    if (!wait && output === undefined) {
      await resource.print(created);
      print.note(`To save it when it is completed: modelwire videos download ${id}`);
      return;
    }
    const video = await waitForVideo(app, id, flags);
    if (video.status === 'completed' && output !== undefined) await save(id, flags);
    else await resource.printEnded(video);
  }

  async function save(
    id: string,
    flags: { readonly output?: string; readonly force?: boolean; readonly variant?: VideoVariant },
  ): Promise<void> {
    const { variant = 'video' } = flags;
    const response = await (await client()).videos.downloadContent(id, { variant }, { signal });
    await saveBody(app, flags, response, id + SUFFIXES[variant]);
  }

  async function open([program, ...words]: readonly [string, ...string[]], path: string): Promise<void> {
    const child = spawn(program, [...words, path], { stdio: 'ignore', detached: true });
    try {
      await once(child, 'spawn');
    } catch {
      throw new CliError(
        EXIT.failure,
        `The program ${program} cannot be started.`,
        `The video is saved as ${path}. Specify another program with --with, such as --with mpv.`,
      );
    }
    child.unref();
    print.note(`Opened with ${program}.`);
  }
};

interface FinishFlags extends WaitFlags {
  readonly wait?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

function withCreateOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'] as const;
  return withRenderOptions(command)
    .option('-m, --model <model>', "Video model (default: the server's)")
    .addOption(choice('--seconds <seconds>', 'Duration in seconds', ['4', '8', '12']))
    .addOption(choice('--size <size>', 'Width and height in pixels', sizes));
}

/** The options of commands that create a video. */
function withRenderOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return withSaveOptions(withWaitOptions(command)).option(
    '-w, --wait',
    'Wait until the video is completed; implied by --output',
  );
}

async function waitForVideo(app: App, id: string, flags: WaitFlags): Promise<Video> {
  const { videos } = await app.client();
  return waitFor<Video>(
    app,
    flags,
    `videos wait ${id}`,
    (options) => videos.wait(id, options),
    ({ progress, status }) =>
      app.print.progress.update({ done: progress, total: 100, label: `${id} ${status}`, unit: 'percent' }),
  );
}

async function inputReference(given: string, cwd: string): Promise<VideoCreateParams['input_reference'] | File> {
  if (/^file-[\w-]+$/.test(given)) return { file_id: given };
  if (/^(https?|data):/i.test(given)) return { image_url: given };
  const type = IMAGE_TYPES[extname(given).toLowerCase()] ?? '';
  return new File([await openFile(resolve(cwd, given), type)], basename(given), { type });
}

/** A file, or the ID of a video. */
async function sourceVideo(given: string, cwd: string): Promise<{ readonly id: string } | File> {
  const path = resolve(cwd, given);
  const type = 'video/mp4';
  if (existsSync(path)) return new File([await openFile(path, type)], basename(given), { type });
  if (/^video_[\w-]+$/.test(given)) return { id: given };
  throw usageError(`${given} is neither a video ID (video_…) nor a file.`);
}

function systemPlayer(): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
