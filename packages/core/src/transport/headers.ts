import { InputError } from '../errors.ts';
import type { HeaderFields } from './options.ts';

/**
 * Sets each header by its lower-case name, or removes it for `null`. Rejects invalid values before `fetch` does: the message of
 * `fetch` would repeat the value, which may be a key.
 */
export function setHeaders(headers: Map<string, string>, fields: HeaderFields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new InputError(`Invalid header name: ${JSON.stringify(name)}.`);
    const field = name.toLowerCase();
    if (value === null) headers.delete(field);
    else if (value !== undefined) {
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new InputError(`Invalid value of the header ${name}.`);
      headers.set(field, value);
    }
  }
}

export function bearer(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new InputError('The API key is empty or has an invalid character.');
  }
  return `Bearer ${key}`;
}
