export { hashKey, makeKey } from './keys/make-key.ts';
export type { KeyInit } from './keys/make-key.ts';
export { storedKeys } from './keys/stored-keys.ts';
export type { StoredKeysOptions } from './keys/stored-keys.ts';
