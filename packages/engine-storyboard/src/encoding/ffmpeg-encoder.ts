import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Encoder, Format } from './encoder.ts';

const errorCharacters = 2000;

/** H.264 by a program of the machine: half the time and better pictures for the bytes, but not the same bytes everywhere. */
export function createFfmpegEncoder(
  program: string,
  folder: string,
  { width, height, framesPerSecond }: Format,
): Encoder {
  const file = join(folder, 'video.mp4');
  const colours = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];
  const child = spawn(
    program,
    [
      ...['-v', 'error', '-nostdin', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${String(width)}x${String(height)}`],
      ...['-r', String(framesPerSecond), '-i', 'pipe:0', '-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-an'],
      // One thread: more would take from the server what it serves with, and would change the bytes with the number of cores.
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-threads', '1', ...colours],
      ...['-flags', '+bitexact', '-fflags', '+bitexact', '-map_metadata', '-1', '-movflags', '+faststart', '-y', file],
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-errorCharacters)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  // What it did not take is told by how it ended.
  child.stdin.on('error', () => undefined);

  return {
    async add(pixels) {
      if (child.exitCode !== null || child.pid === undefined) await failed();
      // The pixels are the canvas's own and change with the next frame.
      if (!child.stdin.write(Buffer.from(pixels))) await Promise.race([once(child.stdin, 'drain'), ended]);
    },
    async finish() {
      child.stdin.end();
      if ((await ended) !== 0) await failed();
      return readFile(file);
    },
  };

  async function failed(): Promise<never> {
    const code = await ended;
    throw new Error(`${program} ended with ${String(code)}: ${said}`);
  }
}
