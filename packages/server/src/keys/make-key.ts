import { createHash, randomBytes } from 'node:crypto';
import type { KeyRecord, KeyRole } from '@modelwire/ports';

export interface KeyInit {
  /** Default `default`. */
  readonly project?: string | undefined;
  /** Default `full`. */
  readonly role?: KeyRole | undefined;
  /** For people. Default empty. */
  readonly name?: string | undefined;
  /** Unix seconds. Default: it lasts. */
  readonly expires?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** A new key (256 random bits; `mw-` lets scanners recognise it) and what is kept of it. The key itself is shown once and never kept. */
export function makeKey(init: KeyInit = {}): { readonly key: string; readonly record: KeyRecord } {
  const key = `mw-${randomBytes(32).toString('base64url')}`;
  return {
    key,
    record: {
      id: `key_${randomBytes(9).toString('hex')}`,
      hash: hashKey(key),
      project: init.project ?? 'default',
      role: init.role ?? 'full',
      name: init.name ?? '',
      hint: `${key.slice(0, 7)}…`,
      created: Math.floor(Date.now() / 1000),
      expires: init.expires ?? null,
      revoked: null,
      requestsPerMinute: init.requestsPerMinute ?? null,
      tokensPerMinute: init.tokensPerMinute ?? null,
    },
  };
}

/** What is kept of a key, and what it is found by. Keys are long and random, so a fast hash is right. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
