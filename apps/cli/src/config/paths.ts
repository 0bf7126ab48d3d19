import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Folders of this program (XDG base directories). The specification requires that relative paths in the variables are ignored. */
export interface Paths {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
}

export function pathsOf({ env }: Pick<Terminal, 'env'>): Paths {
  const home = env['HOME'] ?? homedir();
  const folder = (variable: string, fallback: string): string => {
    const path = env[variable];
    return join(path !== undefined && isAbsolute(path) ? path : join(home, fallback), 'modelwire');
  };
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    state: folder('XDG_STATE_HOME', '.local/state'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  };
}
