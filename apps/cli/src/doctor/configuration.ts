import { stat } from 'node:fs/promises';
import { withVersion } from '../config/base-url.ts';
import { configPath, maskedKey } from '../config/profiles.ts';
import { isLoopback } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Terminal } from '../terminal.ts';
import { failed, ok, warning } from './check.ts';
import type { Check } from './check.ts';

/** Checks that only the owner can read the file, which contains API keys. */
export async function checkConfigurationFile(terminal: Terminal): Promise<Check> {
  const path = configPath(terminal);
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) return ok('configuration', `${path} does not exist. Defaults and the environment are used.`);
  const mode = file.mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return warning(
      'configuration',
      `Other users can read ${path} (mode ${mode.toString(8)}).`,
      `Run chmod 600 ${path}`,
    );
  }
  return ok('configuration', path);
}

/** Checks the base URL without connecting to it. */
export function checkBaseURLSetting({ baseURL: { value, source } }: Settings): Check {
  const name = 'base URL';
  const setting = `${value} (${source})`;
  if (!URL.canParse(value)) {
    const guess = `http://${value.replace(/^\/+/, '')}`;
    return failed(
      name,
      `${setting} is not a URL.`,
      URL.canParse(guess) ? `Try ${suggest(guess)}` : 'Expected a URL such as https://models.example.com/v1',
    );
  }
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return failed(name, `${setting} is not an HTTP URL.`, `Try ${suggest(`http://${value}`)}`);
  }
  if (url.username !== '' || url.password !== '') {
    return failed(
      name,
      `The base URL contains credentials (${source}).`,
      'Store the API key separately: modelwire config set api-key',
    );
  }
  if (/\/(chat\/completions|models|files|batches|uploads|moderations|videos)\/?$/.test(url.pathname)) {
    return failed(
      name,
      `${setting} is the URL of an endpoint.`,
      `Remove the endpoint: ${value.replace(/\/(chat\/completions|[a-z]+)\/?$/, '')}`,
    );
  }
  if (url.hostname === '0.0.0.0') {
    return warning(
      name,
      `${setting} is an address for listening, not for connecting.`,
      `Use ${value.replace('0.0.0.0', '127.0.0.1')}`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(value)) {
    return warning(name, `${setting} sends the API key unencrypted.`, 'Use https.');
  }
  return ok(name, setting);
}

export function checkKey({ key }: Settings): Check {
  const name = 'API key';
  if (key === undefined) {
    return warning(
      name,
      'No API key is set. Some servers do not require one.',
      'Set MODELWIRE_API_KEY, or store a key: modelwire config set api-key',
    );
  }
  const { value, source } = key;
  if (/\s/.test(value)) {
    return failed(name, `The key contains whitespace (${source}).`, 'Copy only the key itself.');
  }
  if (/^["']|["']$/.test(value)) return failed(name, `The key is quoted (${source}).`, 'Remove the quotes.');
  if (/^bearer\b/i.test(value)) return failed(name, `The key begins with "Bearer" (${source}).`, 'Remove "Bearer".');
  if (/[^\x21-\x7e]/.test(value)) {
    return failed(name, `The key contains a character that is not allowed in headers (${source}).`, 'Copy it again.');
  }
  return ok(name, `${maskedKey(value)} (${source})`);
}

function suggest(url: string): string {
  return URL.canParse(url) && new URL(url).pathname === '/' ? withVersion(url) : url;
}
