import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config/config-error.ts';

/** The only argument of a command: a folder, relative to `cwd`. @throws ConfigError with the usage. */
export function folderArgument(args: readonly string[], cwd: string, usage: string): string {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined || folder === '' || positionals.length > 1) throw new ConfigError(usage);
  return resolve(cwd, folder);
}
