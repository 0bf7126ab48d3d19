import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { pathsOf } from '../../config/paths.ts';
import { EXIT } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { safeName, saveBody } from '../../saving.ts';
import { fileNameOf } from '../../video/variants.ts';

export const command = defineCommand({
  arguments: [{ name: 'video-id', description: 'a completed video' }],
  flags: {
    with: {
      type: 'string',
      value: 'program',
      description: 'the program that shows it; default what the system has for videos',
    },
  },
  examples: [{ what: 'Look at it', line: 'modelwire video open video_abc123' }],
  async run(context) {
    const { args, flags, terminal, transport, print, signal } = context;
    const [id = ''] = args;
    const folder = join(pathsOf(terminal).cache, 'videos');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const output = join(folder, safeName(fileNameOf(id, 'video')));
    const body = await createVideos(await transport()).downloadContent(id, {}, { signal });
    await saveBody({ ...context, flags: { ...flags, output, force: true } }, body, output);
    const [program, ...rest] = flags.with === undefined ? opener() : [flags.with];
    const child = spawn(program, [...rest, output], { stdio: 'ignore', detached: true });
    try {
      await once(child, 'spawn');
    } catch {
      throw new Failure(
        EXIT.failure,
        `${program} cannot be started`,
        `The video is at ${output}; or name a program: --with mpv`,
      );
    }
    child.unref();
    print.note(`opened with ${program}`);
    return undefined;
  },
});

function opener(): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
