import { StoreError, StoreTooNewError, UnmetError } from '@modelwire/store-sql/migrations';
import type { StorageOutage } from '@modelwire/ports';
import type { StoreErrorInit } from '@modelwire/store-sql/migrations';

/** Converts an error of pg: keeps what the operator needs, without the URL, details or values. */
export function errorOf(reason: unknown): Error {
  if (reason instanceof StoreError || reason instanceof StoreTooNewError || reason instanceof UnmetError) return reason;
  const code = codeOf(reason);
  if (code === undefined) return errorWithoutCode(messageOf(reason));
  if (!isSqlState(code)) return new StoreError(`PostgreSQL cannot be reached: ${code}`, init(code));
  // The messages of this class repeat the invalid value.
  const message = code.startsWith('22') ? 'PostgreSQL does not accept a value' : messageOf(reason);
  return new StoreError(`PostgreSQL: ${message}`, { ...init(code), conflict: code === '23505' });
}

/** pg's own messages, which contain only fixed words. */
function errorWithoutCode(message: string): StoreError {
  if (/time(d )?out/i.test(message)) return timedOut();
  if (/connection|queryable|closed/i.test(message)) {
    return new StoreError('the connection to PostgreSQL was lost', init('CONNECTION'));
  }
  return new StoreError('the PostgreSQL driver failed', init('DRIVER'));
}

export function timedOut(): StoreError {
  return new StoreError('PostgreSQL did not respond in time', init('TIMEOUT'));
}

/** Nothing was written, because the server has become read-only. */
export const readOnly = '25006';

export function isStandby(): StoreError {
  return new StoreError('PostgreSQL is a standby', init('STANDBY'));
}

/** Codes that mean an outage rather than an error in the statement, with their descriptions for logs. */
const outages: Readonly<Record<string, string>> = {
  CONNECTION: 'connection lost',
  TIMEOUT: 'timeout',
  STANDBY: 'server is a standby',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'host name cannot be resolved',
  EAI_AGAIN: 'host name cannot be resolved',
  '57014': 'statement timeout',
  '57P01': 'server shutting down',
  '57P02': 'server restarting after a crash',
  '57P03': 'server starting or shutting down',
  '53300': 'too many connections',
  [readOnly]: 'server is read-only',
  '55P03': 'lock timeout',
};

function init(code: string): StoreErrorInit {
  const known = outages[code] ?? (/^(?:08|57P|53[234]|58)/.test(code) ? 'server failed' : undefined);
  const cause = known ?? (/^E[A-Z_]+$/.test(code) ? 'connection failed' : undefined);
  return { code, ...(cause !== undefined && { outage: outageOf(withCode(cause, code), code) }) };
}

/** 57014: `statement_timeout` ended the query. */
function outageOf(cause: string, code: string): StorageOutage {
  return { dependency: 'postgres', cause, ...(code === '57014' && { isSlowQuery: true }) };
}

const ownCodes: readonly string[] = ['CONNECTION', 'TIMEOUT', 'STANDBY', 'DRIVER'];

function withCode(cause: string, code: string): string {
  return ownCodes.includes(code) ? cause : `${cause} (${code})`;
}

/**
 * Whether the connection failed rather than the statement: the server is gone, shutting down, starting, or a standby. The connection cannot
 * be reused.
 */
export function isDisconnection(error: Error): boolean {
  if (!(error instanceof StoreError)) return false;
  const { code } = error;
  return (
    ownCodes.includes(code) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    // The connection was idle in a transaction for too long.
    code === '25P03' ||
    // The next connection may lead to another server, which is the primary.
    code === readOnly ||
    /^E[A-Z]+$/.test(code)
  );
}

function isSqlState(code: string): boolean {
  return /^[\dA-Z]{5}$/.test(code) && /\d/.test(code);
}

export function codeOf(reason: unknown): string | undefined {
  return reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined;
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : 'failed';
}
