import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** How this machine lets a test mount: as it is, with sudo, or not at all. */
const words: readonly string[] | undefined = [[], ['sudo', '-n']].find((before) => {
  try {
    run([...before, 'unshare', '--mount', 'true']);
    return true;
  } catch {
    return false;
  }
});

export const canMount = words !== undefined;

function run([program = '', ...args]: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

/** Puts something over a folder until the test is over, or it is taken away. */
export function mountOver(options: readonly string[], what: string, path: string): () => void {
  run([...(words ?? []), 'mount', ...options, what, path]);
  let over = false;
  const unmount = (): void => {
    if (!over) run([...(words ?? []), 'umount', '--lazy', path]);
    over = true;
  };
  onTestFinished(unmount);
  return unmount;
}

export interface SmallDisk {
  /** Takes all space but so many bytes. */
  fill(but?: number): void;
  /** Gives it back. */
  empty(): void;
}

/** A disk of its own in place of a folder, in memory. */
export function smallDisk(path: string, megabytes: number): SmallDisk {
  mountOver(['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`], 'none', path);
  const filler = join(path, 'filler');
  return {
    fill(but = 0) {
      const { bavail, bsize } = statfsSync(path);
      try {
        appendFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - but)));
      } catch (error) {
        // The server took some of it meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}
