import type { Authenticator, Clock, Principal, SessionRecord, SessionStore } from '@modelwire/ports';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { nowInSeconds } from '../clock.ts';

/** Seconds without a request after which a session expires. */
const sessionIdleSeconds = 12 * 3600;
/** Seconds after its creation at which a session expires in any case. */
export const sessionMaxSeconds = 7 * 86_400;
/** Seconds that a one-time code is valid. */
const codeTtlSeconds = 600;
/** A session in use is extended when this many seconds of its idle time have passed: not every request writes to the store. */
const extendAfterSeconds = 300;

/** A session that is valid, and the principal whose rights it has at the moment. */
export interface ActiveSession {
  readonly principal: Principal;
  /** The token that unsafe requests of the session must send as `x-csrf-token`. */
  readonly csrfToken: string;
  readonly token: string;
}

/** Sessions of the console: a key, exchanged for a token that is sent as a cookie and can be revoked. */
export interface Sessions {
  /** Starts a session with the rights of a key, given by its hash. Undefined for a hash of no valid key. */
  start(keyHash: string): Promise<ActiveSession | undefined>;
  /** The session of a token; undefined when it is unknown, revoked or expired, or when its key is. */
  find(token: string): Promise<ActiveSession | undefined>;
  revoke(token: string): Promise<void>;
  /** Creates a one-time code for a key, given by its hash, valid for ten minutes. */
  createCode(keyHash: string): Promise<string>;
  /** The hash of the key that a code was created for. Undefined when it is unknown, expired, or was used before. */
  redeemCode(code: string): Promise<string | undefined>;
  /** The principal of a key, given by its hash. */
  principalOf(keyHash: string): Promise<Principal | undefined>;
}

/** The sessions of a server without a console. */
export const noSessions: Sessions = {
  start: () => Promise.resolve(undefined),
  find: () => Promise.resolve(undefined),
  revoke: () => Promise.resolve(),
  createCode: () => Promise.reject(new Error('this server has no sessions')),
  redeemCode: () => Promise.resolve(undefined),
  principalOf: () => Promise.resolve(undefined),
};

/** `noSessions` for an authenticator that finds no key by its hash. */
export function createSessions(store: SessionStore, authenticator: Authenticator, clock: Pick<Clock, 'now'>): Sessions {
  if (!authenticator.authenticateHash) return noSessions;
  const principalOf = async (keyHash: string): Promise<Principal | undefined> =>
    authenticator.authenticateHash?.(keyHash);

  async function findValid(token: string, kind: SessionRecord['kind']): Promise<SessionRecord | undefined> {
    if (!isToken(token)) return undefined;
    const found = await store.find(hashToken(token));
    return found?.kind === kind && nowInSeconds(clock) < found.expires ? found : undefined;
  }
  async function activate(token: string, keyHash: string): Promise<ActiveSession | undefined> {
    const principal = await principalOf(keyHash);
    return principal && { principal, token, csrfToken: csrfTokenOf(token) };
  }
  async function extend({ hash, created, expires }: SessionRecord): Promise<void> {
    const newExpiry = Math.min(nowInSeconds(clock) + sessionIdleSeconds, created + sessionMaxSeconds);
    if (newExpiry - expires >= extendAfterSeconds) await store.extend(hash, newExpiry);
  }
  async function add(kind: SessionRecord['kind'], keyHash: string, seconds: number): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const created = nowInSeconds(clock);
    await store.add({ hash: hashToken(token), kind, keyHash, created, expires: created + seconds });
    return token;
  }
  return {
    principalOf,
    async start(keyHash) {
      if (!(await principalOf(keyHash))) return undefined;
      return activate(await add('session', keyHash, sessionIdleSeconds), keyHash);
    },
    async find(token) {
      const record = await findValid(token, 'session');
      if (!record) return undefined;
      const [session] = await Promise.all([activate(token, record.keyHash), extend(record)]);
      return session;
    },
    async revoke(token) {
      if (await findValid(token, 'session')) await store.consume(hashToken(token));
    },
    createCode: (keyHash) => add('code', keyHash, codeTtlSeconds),
    async redeemCode(code) {
      if (!(await findValid(code, 'code'))) return undefined;
      return (await store.consume(hashToken(code)))?.keyHash;
    },
  };
}

/** Compares in constant time. */
export function isCsrfToken({ csrfToken }: ActiveSession, token: string | null): boolean {
  const [expected, actual] = [Buffer.from(csrfToken), Buffer.from(token ?? '')];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** 32 bytes in base64url. */
function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Derived from the token, so that it needs no storage; the token cannot be computed from it. */
function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('modelwire csrf').digest('base64url');
}
