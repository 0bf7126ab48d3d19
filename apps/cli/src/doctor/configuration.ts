import { stat } from 'node:fs/promises';
import { configPath } from '../config/profiles.ts';
import { isLoopback } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { shownKey } from '../config/shown.ts';
import type { Terminal } from '../terminal.ts';
import { fine, warning, wrong } from './check.ts';
import type { Check } from './check.ts';

/** The file that holds keys, read by nobody else. */
export async function checkFile(terminal: Terminal): Promise<Check> {
  const path = configPath(terminal);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return fine('configuration', `none at ${path}: defaults and the environment count`);
  const mode = found.mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return warning('configuration', `${path} may be read by others (mode ${mode.toString(8)})`, `chmod 600 ${path}`);
  }
  return fine('configuration', path);
}

/** What can be said of an address without asking anybody. */
export function checkAddress({ baseURL: { value, from } }: Settings): Check {
  const name = 'address';
  const where = `${value} (${from})`;
  if (!URL.canParse(value)) {
    const guess = `http://${value.replace(/^\/+/, '')}`;
    const mend = URL.canParse(guess)
      ? `Perhaps ${withVersion(guess)}`
      : 'It looks like this: https://models.example.com/v1';
    return wrong(name, `${where} is no address`, mend);
  }
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return wrong(name, `${where}: ${url.protocol} is not spoken here`, `Perhaps ${withVersion(`http://${value}`)}`);
  }
  if (url.username !== '' || url.password !== '') {
    return wrong(name, `an address with a key in it (${from})`, 'Keep the key by itself: modelwire config set api-key');
  }
  if (/\/(chat\/completions|models|files|batches|uploads|moderations|videos)\/?$/.test(url.pathname)) {
    return wrong(
      name,
      `${where} is the address of an endpoint`,
      `Leave the end away: ${value.replace(/\/(chat\/completions|[a-z]+)\/?$/, '')}`,
    );
  }
  if (url.hostname === '0.0.0.0') {
    return warning(
      name,
      `${where}: a server listens at 0.0.0.0, and is called by another name`,
      `Use ${value.replace('0.0.0.0', '127.0.0.1')}`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(value)) {
    return warning(name, `${where}: the key goes over the network as it is, for all to read`, 'Use https.');
  }
  return fine(name, where);
}

export function checkKey({ key }: Settings): Check {
  if (key === undefined) {
    return warning(
      'key',
      'there is none: some servers want none',
      'Set MODELWIRE_API_KEY, or keep one: modelwire config set api-key',
    );
  }
  const { value, from } = key;
  if (/\s/.test(value))
    return wrong('key', `it has a space or a newline in it (${from})`, 'Copy it again, without what stands around it.');
  if (/^["']|["']$/.test(value)) return wrong('key', `it stands in quotes (${from})`, 'Take the quotes away.');
  if (/^bearer\b/i.test(value)) return wrong('key', `it begins with "Bearer" (${from})`, 'Give the key alone.');
  if (/[^\x21-\x7e]/.test(value))
    return wrong('key', `it has a character that no header can hold (${from})`, 'Copy it again.');
  return fine('key', `${shownKey(value)} (${from})`);
}

/** An address with the version prefix that servers of this interface have. */
export function withVersion(value: string): string {
  const url = new URL(value);
  return url.pathname === '/' ? `${url.origin}/v1` : value;
}
