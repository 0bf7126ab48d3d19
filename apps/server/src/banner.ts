import { relative } from 'node:path';
import type { Running } from './start.ts';

/** What a starting server tells whoever started it: where it is, what it serves, the key, and a line to paste. */
export function banner({ url, keys, models }: Running, folder: string): string {
  const ids = models().map(({ id }) => id);
  const shown = ids.slice(0, 12).join(', ') + (ids.length > 12 ? `, and ${ids.length - 12} more` : '');
  const key = keyForShell(keys, folder);
  return `
  Modelwire serves ${url}/v1

  models     ${ids.length === 0 ? 'none yet: no upstream has answered' : shown}
  reference  ${url}/docs
  key        ${keyLine(keys, folder)}

  curl ${url}/v1/chat/completions \\
    -H "Authorization: Bearer ${key}" \\
    -H "Content-Type: application/json" \\
    -d '{"model": ${JSON.stringify(ids[0] ?? 'simulator').replaceAll("'", "'\\''")}, "messages": [{"role": "user", "content": "Hello!"}]}'
`;
}

function keyLine({ from, count, file, made, shortKeys }: Running['keys'], folder: string): string {
  switch (from) {
    case 'made':
      return `${made ?? ''}  (made now, kept in ${pathFrom(folder, file)})`;
    case 'stored':
      return `kept in ${pathFrom(folder, file)}`;
    case 'configured':
    case 'file':
      return `${count} configured${shortKeys > 0 ? `; ${shortKeys} shorter than 16 characters, which can be guessed` : ''}`;
  }
}

/** A shell expression for a key, never the key itself: a new key is printed once, on its own line, and a configured one not at all. */
function keyForShell({ from, file }: Running['keys'], folder: string): string {
  switch (from) {
    case 'made':
    case 'stored':
      return `$(cat '${pathFrom(folder, file).replaceAll("'", "'\\''")}')`;
    case 'configured':
      return '${MODELWIRE_API_KEYS%%,*}';
    case 'file':
      return '<one of apiKeys in your configuration>';
  }
}

function pathFrom(folder: string, file: string | undefined): string {
  const path = relative(folder, file ?? '');
  return path.startsWith('..') ? (file ?? '') : path;
}
