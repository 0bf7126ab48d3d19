import type {
  AuditEntry,
  Authenticator,
  Clock,
  KeyStore,
  Person,
  Principal,
  ProjectRecord,
  SessionRecord,
  SessionStore,
} from '@modelwire/ports';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { nowInSeconds } from '../clock.ts';
import type { CreateId } from '../ids.ts';
import { projectRateSubject } from '../keys/stored-keys.ts';
import { createLookupCache } from '../lookup-cache.ts';
import type { IdentityProvider } from '../options/types.ts';

/** Seconds without a request after which a session expires. */
const sessionIdleSeconds = 12 * 3600;
/** Seconds after its creation at which the session of a key expires in any case. */
const keySessionMaxSeconds = 7 * 86_400;
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
  /** Seconds after its creation at which it expires in any case. */
  readonly maxSeconds: number;
  /** Null for a session of a key. */
  readonly person: Person | null;
}

/** Whose rights a session has: those of a key, given by its hash, or of a person. */
type SessionOwner = Pick<SessionRecord, 'keyHash' | 'person'>;

/** Sessions of the console: a key or an identified person, exchanged for a token that is sent as a cookie and can be revoked. */
export interface Sessions {
  /** Starts a session. Undefined for a hash of no valid key, and for a person without access. */
  start(owner: SessionOwner): Promise<ActiveSession | undefined>;
  /** The session of a token; undefined when it is unknown, revoked or expired, when its key is, or when its person has no access any more. */
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

export interface SessionsInit {
  readonly store: SessionStore;
  readonly authenticator: Authenticator;
  readonly identityProvider: IdentityProvider | undefined;
  /** Undefined without stores. */
  readonly keys: Pick<KeyStore, 'getProject' | 'onChange'> | undefined;
  readonly clock: Clock;
  readonly createId: CreateId;
}

/** `noSessions` for an authenticator that finds no key by its hash, without an identity provider. */
export function createSessions({
  store,
  authenticator,
  identityProvider,
  keys,
  clock,
  createId,
}: SessionsInit): Sessions {
  if (!authenticator.authenticateHash && !identityProvider) return noSessions;
  const principalOf = async (keyHash: string): Promise<Principal | undefined> =>
    authenticator.authenticateHash?.(keyHash);
  const principalOfPerson = identityProvider && createPersonPrincipals(identityProvider, keys, clock);
  const maxSecondsOf = ({ person }: SessionOwner): number =>
    person && identityProvider ? identityProvider.sessionSeconds : keySessionMaxSeconds;

  async function findValid(token: string, kind: SessionRecord['kind']): Promise<SessionRecord | undefined> {
    if (!isToken(token)) return undefined;
    const found = await store.find(hashToken(token));
    return found?.kind === kind && nowInSeconds(clock) < found.expires ? found : undefined;
  }
  async function ownerPrincipal({ keyHash, person }: SessionOwner): Promise<Principal | undefined> {
    return person ? principalOfPerson?.(person) : principalOf(keyHash ?? '');
  }
  async function activate(token: string, owner: SessionOwner): Promise<ActiveSession | undefined> {
    const principal = await ownerPrincipal(owner);
    const { person } = owner;
    return principal && { principal, token, person, csrfToken: csrfTokenOf(token), maxSeconds: maxSecondsOf(owner) };
  }
  async function extend(record: SessionRecord): Promise<void> {
    const newExpiry = Math.min(nowInSeconds(clock) + sessionIdleSeconds, record.created + maxSecondsOf(record));
    if (newExpiry - record.expires >= extendAfterSeconds) await store.extend(record.hash, newExpiry);
  }
  async function add(
    kind: SessionRecord['kind'],
    owner: SessionOwner,
    { seconds, audit }: { readonly seconds: number; readonly audit?: AuditEntry | undefined },
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const created = nowInSeconds(clock);
    await store.add({ hash: hashToken(token), kind, ...owner, created, expires: created + seconds }, audit);
    return token;
  }
  function signInEntry({ id, name, groups }: Person, { project, role }: Principal): AuditEntry {
    return {
      id: createId('audit_log-'),
      type: 'login.succeeded',
      at: nowInSeconds(clock),
      actor: id,
      actorName: name,
      project,
      resource: id,
      changes: { role, groups },
    };
  }
  return {
    principalOf,
    async start(owner) {
      const principal = await ownerPrincipal(owner);
      if (!principal) return undefined;
      const token = await add('session', owner, {
        seconds: Math.min(sessionIdleSeconds, maxSecondsOf(owner)),
        audit: owner.person ? signInEntry(owner.person, principal) : undefined,
      });
      return activate(token, owner);
    },
    async find(token) {
      const record = await findValid(token, 'session');
      if (!record) return undefined;
      const [session] = await Promise.all([activate(token, record), extend(record)]);
      return session;
    },
    async revoke(token) {
      if (await findValid(token, 'session')) await store.consume(hashToken(token));
    },
    createCode: (keyHash) => add('code', { keyHash, person: null }, { seconds: codeTtlSeconds }),
    async redeemCode(code) {
      if (!(await findValid(code, 'code'))) return undefined;
      return (await store.consume(hashToken(code)))?.keyHash ?? undefined;
    },
  };
}

/** Finds the rights that a person has at the moment. Lookups of projects are cached like those of keys. */
function createPersonPrincipals(
  identityProvider: IdentityProvider,
  keys: SessionsInit['keys'],
  clock: Clock,
): (person: Person) => Promise<Principal | undefined> {
  const projects = createLookupCache<ProjectRecord | undefined>(clock);
  keys?.onChange?.(projects.clear);
  return async (person) => {
    const access = identityProvider.accessOf(person);
    if (!access) return undefined;
    const { role, project } = access;
    const found = await projects.get(project, async () => keys?.getProject(project));
    if (keys && found?.archived !== null) return undefined;
    const limits = [{ id: `key:${person.id}` }, projectRateSubject(project, found)];
    return { keyId: person.id, keyName: person.name, project, role, limits };
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
