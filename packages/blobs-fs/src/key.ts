/** What the kit makes: lower-case only, so that two keys are two files also where case does not count, and none is a path. */
const pattern = /^blob_[0-9a-z]{1,64}$/;

/** @throws {TypeError} for what is no key. */
export function requireKey(key: string): string {
  // `$` would allow a line feed at the end only with the flag m.
  if (!pattern.test(key)) throw new TypeError(`not a key of bytes: ${JSON.stringify(key).slice(0, 80)}`);
  return key;
}
