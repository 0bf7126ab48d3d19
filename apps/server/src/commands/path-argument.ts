import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config/config-error.ts';

/** The only argument of a command: the path of a folder or file, relative to `cwd`. @throws ConfigError with the usage. */
export function pathArgument(args: readonly string[], cwd: string, usage: string): string {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [path] = positionals;
  if (path === undefined || path === '' || positionals.length > 1) throw new ConfigError(usage);
  return resolve(cwd, path);
}
