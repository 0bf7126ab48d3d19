/**
 * Checks of single options: return the value, or throw a `TypeError` that names the option. Messages do not contain values, since an option may
 * be a key.
 */
export const optionChecks = {
  fail(option: string, reason: string): never {
    throw new TypeError(`createUpstream: ${option} ${reason}.`);
  },

  /** `known`: the allowed names. Default: any. */
  object(option: string, value: unknown, allowed?: readonly string[]): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return optionChecks.fail(option, 'must be an object');
    if (allowed === undefined) return;
    for (const key of Object.keys(value)) {
      if (!allowed.includes(key))
        optionChecks.fail(option, `has an unknown key '${key}'; known keys: ${allowed.join(', ')}`);
    }
  },

  list<T>(option: string, value: readonly T[]): readonly T[] {
    if (!Array.isArray(value) || value.length === 0) optionChecks.fail(option, 'must be a non-empty array');
    return value;
  },

  text(option: string, value: unknown): string {
    if (typeof value !== 'string' || value === '') return optionChecks.fail(option, 'must be a non-empty string');
    return value;
  },

  number(option: string, value: unknown, min: number): number {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < min) {
      return optionChecks.fail(option, `must be a number of at least ${min}`);
    }
    return value;
  },

  integer(option: string, value: unknown, min: number): number {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) {
      return optionChecks.fail(option, `must be an integer of at least ${min}`);
    }
    return value;
  },

  flag(option: string, value: unknown): boolean {
    return typeof value === 'boolean' ? value : optionChecks.fail(option, 'must be true or false');
  },

  url(option: string, value: unknown): URL {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      return optionChecks.fail(option, "must be an http or https URL, for instance 'http://127.0.0.1:8000/v1'");
    }
    if (url.username !== '' || url.password !== '')
      return optionChecks.fail(option, 'must not contain credentials; use apiKey');
    if (url.search !== '' || url.hash !== '') return optionChecks.fail(option, 'must not have a query or a fragment');
    return url;
  },

  headerName(option: string, value: string): string {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return optionChecks.fail(option, 'has an invalid header name');
    return value.toLowerCase();
  },

  headerValue(option: string, value: unknown): string {
    if (typeof value !== 'string' || !/^[\x20-\x7e\t]+$/.test(value)) {
      return optionChecks.fail(option, 'must be a header value: printable ASCII, not empty');
    }
    return value;
  },

  names(option: string, value: unknown, allowed: readonly string[]): void {
    if (!Array.isArray(value)) optionChecks.fail(option, 'must be an array of names of upstreams');
    for (const name of value as readonly unknown[]) {
      if (typeof name !== 'string' || !allowed.includes(name)) {
        optionChecks.fail(option, `names an unknown upstream; known upstreams: ${allowed.join(', ')}`);
      }
    }
  },

  unique(option: string, names: readonly string[]): void {
    if (new Set(names).size !== names.length) optionChecks.fail(option, 'must not name an upstream twice');
  },
};
