export { hashKey, makeKey, makeSecret } from './make-key.ts';
export type { KeyInit } from './make-key.ts';
export { storedKeys } from './stored-keys.ts';
export type { StoredKeysOptions } from './stored-keys.ts';
