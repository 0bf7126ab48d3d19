/** What the kit makes: nothing that a URL or a server would read as something else. */
const pattern = /^blob_[0-9a-z]{1,64}$/;

export function isKey(key: string): boolean {
  return pattern.test(key);
}

/** @throws {TypeError} for what is no key. */
export function requireKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`not a key of bytes: ${JSON.stringify(key).slice(0, 80)}`);
}
