import { hash, randomBytes } from 'node:crypto';
import type { AccessLimits, KeyRecord, KeyRole } from '@modelwire/ports';

export interface KeyInit extends Partial<AccessLimits> {
  /** Default `default`. */
  readonly project?: string | undefined;
  /** Default `full`. */
  readonly role?: KeyRole | undefined;
  /** Display name. Default empty. */
  readonly name?: string | undefined;
  /** Unix seconds. Default: now. */
  readonly created?: number | undefined;
  /** Unix seconds. Default: it does not expire. */
  readonly expires?: number | null | undefined;
}

/** A new secret: 256 random bits, with a prefix that secret scanners recognize. Only `hash` and `hint` are stored. */
export function makeSecret(): { readonly key: string; readonly hash: string; readonly hint: string } {
  const key = `mw-${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashKey(key), hint: hintOf(key) };
}

/** A new key and the record to store of it. The key itself is shown once and never stored. */
export function makeKey(init: KeyInit = {}): { readonly key: string; readonly record: KeyRecord } {
  const { key, hash, hint } = makeSecret();
  return {
    key,
    record: {
      id: `key_${randomBytes(9).toString('hex')}`,
      hash,
      project: init.project ?? 'default',
      role: init.role ?? 'full',
      name: init.name ?? '',
      hint,
      created: init.created ?? Math.floor(Date.now() / 1000),
      expires: init.expires ?? null,
      revoked: null,
      lastUsed: null,
      requestsPerMinute: init.requestsPerMinute ?? null,
      tokensPerMinute: init.tokensPerMinute ?? null,
      allowedModels: init.allowedModels ?? null,
      maxOutputTokens: init.maxOutputTokens ?? null,
    },
  };
}

/** The stored hash of a key, by which it is found. Keys are long and random, so a fast hash is sufficient. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** The first characters of a key, for display. */
function hintOf(key: string): string {
  return `${key.slice(0, 7)}…`;
}
