import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** A program from npm that is not a dependency of the workspace: its files for one platform have hundreds of megabytes. */
interface NpmProgram {
  readonly package: string;
  readonly version: string;
  readonly program: string;
}

/** Installs a program once, and returns its path. One that is installed incompletely is removed: then the path is undefined. */
export async function installNpmProgram({ package: name, version, program }: NpmProgram): Promise<string | undefined> {
  const folder = fileURLToPath(new URL(`../.${program}/${version}`, import.meta.url));
  if (!existsSync(folder)) {
    await mkdir(folder, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', folder];
    if (!(await run('npm', ['install', ...options, `${name}@${version}`]))) {
      await rm(folder, { recursive: true, force: true });
      return undefined;
    }
  }
  return join(folder, 'node_modules', '.bin', program);
}
