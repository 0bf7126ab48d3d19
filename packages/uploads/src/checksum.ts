/** MD5 in the making, as `node:crypto` and hash-wasm have it. WebCrypto has neither MD5 nor hashing by pieces. */
export interface Md5 {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

/** `true`: computed by hash-wasm, loaded when it is first asked for; a function: by what it gives; a string: known already. */
export type Md5Option = boolean | string | (() => Md5 | Promise<Md5>);

/** What makes the checksum of the bytes that pass by, or `undefined` where none is to be made. */
export async function openMd5(option: Md5Option | undefined): Promise<Md5 | undefined> {
  if (typeof option === 'function') return option();
  if (option !== true) return undefined;
  const { createMD5 } = await import('./md5.ts');
  const md5 = await createMD5();
  md5.init();
  return md5;
}
