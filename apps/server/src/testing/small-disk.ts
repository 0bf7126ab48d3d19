import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Prefix of the mount command: empty, sudo, or undefined if mounting is not possible. */
const mountPrefix: readonly string[] | undefined = [[], ['sudo', '-n']].find((before) => {
  try {
    run([...before, 'unshare', '--mount', 'true']);
    return true;
  } catch {
    return false;
  }
});

export const canMount = mountPrefix !== undefined;

function run([program = '', ...args]: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

/** Mounts over a folder until the test ends or the returned function is called. */
export function mountOver(options: readonly string[], what: string, path: string): () => void {
  run([...(mountPrefix ?? []), 'mount', ...options, what, path]);
  let over = false;
  const unmount = (): void => {
    if (!over) run([...(mountPrefix ?? []), 'umount', '--lazy', path]);
    over = true;
  };
  onTestFinished(unmount);
  return unmount;
}

export interface SmallDisk {
  /** Fills the disk except for `but` bytes. */
  fill(but?: number): void;
  /** Frees the space. */
  empty(): void;
}

/** Mounts a small tmpfs over a folder. */
export function smallDisk(path: string, megabytes: number): SmallDisk {
  mountOver(['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`], 'none', path);
  const filler = join(path, 'filler');
  return {
    fill(but = 0) {
      const { bavail, bsize } = statfsSync(path);
      try {
        appendFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - but)));
      } catch (error) {
        // The server used some of the space meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}
