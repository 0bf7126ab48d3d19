import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedObject } from '@modelwire/conformance';
import { isRecord, parseJson } from '../json.ts';

/** What a run has created on a server, in a file that outlives a killed process. It contains no API key. */
export interface Journal {
  /** What killed runs against the same server left. */
  readonly leftovers: readonly CreatedObject[];
  /** Written synchronously, since the process can be killed at any time. */
  add(object: CreatedObject): void;
  /** Removes the files of this run and of those that left something. */
  close(): void;
}

/** Opens the journal of a run. Files of runs that still go on are left alone. A folder that cannot be written is no reason to fail. */
export function openJournal(
  stateFolder: string,
  server: { readonly baseURL: string; readonly apiKey?: string | undefined },
): Journal {
  const folder = join(stateFolder, 'conform');
  const prefix = createHash('sha256')
    .update(JSON.stringify([server.baseURL, server.apiKey]))
    .digest('hex')
    .slice(0, 32);
  const own = `${prefix}.${process.pid}`;
  // A file with the ID of this process is of an earlier one.
  const left = attempt([], () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return readdirSync(folder).filter((name) => name.startsWith(`${prefix}.`) && (name === own || !isRunning(name)));
  });
  const leftovers = left
    .flatMap((name) => attempt('', () => readFileSync(join(folder, name), 'utf8')).split('\n'))
    .flatMap(createdObject);
  return {
    leftovers,
    add: (object) =>
      attempt(undefined, () => appendFileSync(join(folder, own), `${JSON.stringify(object)}\n`, { mode: 0o600 })),
    close() {
      for (const name of [own, ...left]) rmSync(join(folder, name), { force: true });
    },
  };
}

function attempt<Value>(fallback: Value, action: () => Value): Value {
  try {
    return action();
  } catch {
    return fallback;
  }
}

function isRunning(name: string): boolean {
  try {
    process.kill(Number(name.split('.')[1]), 0);
    return true;
  } catch (error) {
    // The process of another user may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A line that a crash has truncated is not JSON. */
function createdObject(line: string): readonly CreatedObject[] {
  const value = parseJson(line);
  if (!isRecord(value)) return [];
  const { name, method, path } = value;
  const isValid = typeof name === 'string' && typeof path === 'string' && (method === 'DELETE' || method === 'POST');
  return isValid ? [{ name, method, path }] : [];
}
