import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const askMs = 10_000;

/** The program to encode with: none, the one of that path, or (`auto`) that of the PATH where it can write H.264. */
export async function findFfmpeg(choice: 'auto' | false | (string & {})): Promise<string | undefined> {
  if (choice === false) return undefined;
  if (choice !== 'auto') return choice;
  try {
    const { stdout } = await run('ffmpeg', ['-hide_banner', '-encoders'], { timeout: askMs });
    return stdout.includes('libx264') ? 'ffmpeg' : undefined;
  } catch {
    return undefined;
  }
}
