/** An incremental MD5 hash, as `node:crypto` and hash-wasm have it. WebCrypto has neither MD5 nor incremental hashes. */
export interface Md5 {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

/** `true`: computed by hash-wasm, which is loaded on first use; a function: by the hash that it returns; a string: the known checksum. */
export type Md5Option = boolean | string | (() => Md5 | Promise<Md5>);

/** The hash of the option, or `undefined` where no checksum is computed. */
export async function createMd5(option: Md5Option | undefined): Promise<Md5 | undefined> {
  if (typeof option === 'function') return option();
  if (option !== true) return undefined;
  const { createMD5 } = await import('./md5.ts');
  const md5 = await createMD5();
  md5.init();
  return md5;
}
