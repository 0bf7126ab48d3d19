import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { samplesOf } from '@modelwire/vitest/audio';
import type { DecodedAudio } from '@modelwire/vitest/audio';
import * as z from 'zod';

const run = promisify(execFile);

/** What ffprobe prints about a file. */
const probed = z.object({
  streams: z.tuple([z.object({ codec_name: z.string(), sample_rate: z.string(), channels: z.number() })]),
  format: z.object({ format_name: z.string(), duration: z.string().default('0') }),
});

/** Decodes a file with the ffmpeg and ffprobe of the PATH. @throws Error where ffmpeg prints any warning. */
export async function decodeWithFfmpeg(bytes: Uint8Array): Promise<DecodedAudio> {
  const path = join(tmpdir(), `modelwire-speech-${randomUUID()}`);
  await writeFile(path, bytes);
  try {
    const { stdout: json } = await run('ffprobe', [
      '-v',
      'error',
      '-show_streams',
      '-show_format',
      '-of',
      'json',
      path,
    ]);
    const { stdout, stderr } = await run(
      'ffmpeg',
      ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', '24000', 'pipe:1'],
      { encoding: 'buffer', maxBuffer: 2 ** 26 },
    );
    if (stderr.length > 0) throw new Error(stderr.toString());
    const { streams, format } = probed.parse(JSON.parse(json));
    return {
      codec: streams[0].codec_name,
      container: format.format_name,
      sampleRate: Number(streams[0].sample_rate),
      channels: streams[0].channels,
      duration: Number(format.duration),
      samples: samplesOf(stdout),
    };
  } finally {
    await rm(path);
  }
}
