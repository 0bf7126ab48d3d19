import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);

/** What ffprobe says of a file. */
const probed = z.object({
  streams: z.tuple([z.object({ codec_name: z.string(), sample_rate: z.string(), channels: z.number() })]),
  format: z.object({ format_name: z.string(), duration: z.string().default('0') }),
});

export interface Decoded {
  readonly codec: string;
  readonly container: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Seconds. */
  readonly duration: number;
  /** Mono at 24,000 a second. */
  readonly samples: Int16Array;
}

/** What Debian's ffmpeg makes of a file; any complaint of it is an error. */
export async function decoded(bytes: Uint8Array): Promise<Decoded> {
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

/** Of bytes with the low one first. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.length / 2 }, (_, index) => view.getInt16(index * 2, true));
}
