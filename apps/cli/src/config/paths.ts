import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Where things are kept (XDG base directories). A relative path in such a variable does not count, says the specification. */
export interface Paths {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
}

export function pathsOf({ env }: Pick<Terminal, 'env'>): Paths {
  const home = env['HOME'] ?? homedir();
  const folder = (name: string, otherwise: string): string => {
    const said = env[name];
    return join(said !== undefined && isAbsolute(said) ? said : join(home, otherwise), 'modelwire');
  };
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    state: folder('XDG_STATE_HOME', '.local/state'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  };
}
