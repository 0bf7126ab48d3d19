import { relative } from 'node:path';
import { moderationCategories } from '@modelwire/ports';
import type { StartedServer } from './started-server.ts';

/** The text printed at startup: the address of the console, the base URL, the models, the API key, and a curl command to paste. */
export function banner(
  { url, consoleUrl, keys, models, unjudgedCategories }: Omit<StartedServer, 'stop'>,
  folder: string,
): string {
  const ids = [...new Set(models().map(({ id }) => id))];
  const modelList = ids.slice(0, 12).join(', ') + (ids.length > 12 ? `, and ${ids.length - 12} more` : '');
  const key = keyForShell(keys, folder);
  const consoleLines = consoleUrl === undefined ? '' : `  Console: ${consoleUrl}\n\n`;
  return `
${consoleLines}  Modelwire listens on ${url}/v1

  models     ${ids.length === 0 ? 'none yet: no upstream has responded' : modelList}
${models().map(runtimeLine).join('')}${moderationLines(unjudgedCategories)}  reference  ${url}/docs
  key        ${keyLine(keys, folder)}

${curlLines(url, key, models()[0])}
`;
}

/** Where a model runs that the server runs itself. */
function runtimeLine({ id, runtime }: ReturnType<StartedServer['models']>[number]): string {
  if (!runtime) return '';
  const { backend, device, gpu_layers, layers, context_size, sequences } = runtime;
  const where = device === null ? 'CPU' : `${backend}, ${device}, ${gpu_layers} of ${layers} layers`;
  const gb = ((runtime.gpu_memory_bytes + runtime.memory_bytes) / 2 ** 30).toFixed(1);
  return `             ${id}: ${where}, ${gb} GB, context of ${sequences} x ${context_size} tokens\n`;
}

/** What moderation does not judge, and what judges more. */
function moderationLines(unjudged: StartedServer['unjudgedCategories']): string {
  if (unjudged.length === 0) return '';
  const judged = moderationCategories.filter((category) => !unjudged.includes(category));
  const what =
    judged.length > 0 && judged.length < unjudged.length
      ? `judges only ${judged.join(', ')}`
      : `does not judge ${unjudged.join(', ')}`;
  return `  moderation ${what}
             a guard model or another chat model can judge all: moderation: { judge: { model: <ID> } }
`;
}

/** A request to the first chat model; to the list of models while there is none. */
function curlLines(url: string, key: string, model: ReturnType<StartedServer['models']>[number] | undefined): string {
  const authorization = `-H "Authorization: Bearer ${key}"`;
  if (model === undefined) return `  curl ${url}/v1/models ${authorization}`;
  const { id, dialect } = model;
  const messages = [{ role: 'user', content: 'Hello!' }];
  const body = JSON.stringify({ model: id, ...(dialect && { max_tokens: 100 }), messages });
  return `  curl ${url}/v1/${dialect ?? 'chat/completions'} \\
    ${authorization} \\
    -H "Content-Type: application/json" \\
    -d '${body.replaceAll("'", "'\\''")}'`;
}

function keyLine({ from, count, file, created, shortKeys }: StartedServer['keys'], folder: string): string {
  switch (from) {
    case 'created':
      return `${created ?? ''}  (created now, stored in ${displayPath(folder, file)})`;
    case 'stored':
      return `stored in ${displayPath(folder, file)}`;
    case 'environment':
    case 'file':
      return `${count} configured${shortKeys > 0 ? `; ${shortKeys} shorter than 16 characters and easy to guess` : ''}`;
  }
}

/** A shell expression that yields a key, never the key itself: a new key is printed once, on its own line; a configured key is never printed. */
function keyForShell({ from, file }: StartedServer['keys'], folder: string): string {
  switch (from) {
    case 'created':
    case 'stored':
      return `$(cat '${displayPath(folder, file).replaceAll("'", "'\\''")}')`;
    case 'environment':
      return '${MODELWIRE_API_KEYS%%,*}';
    case 'file':
      return '<one of apiKeys in your configuration>';
  }
}

function displayPath(folder: string, file: string | undefined): string {
  const path = relative(folder, file ?? '');
  return path.startsWith('..') ? (file ?? '') : path;
}
