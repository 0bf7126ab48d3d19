import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CreatedObject } from '@modelwire/conformance';
import { isRecord, parseJson } from '../json.ts';

/** What a run has created on a server, in a file that outlives a killed process. It contains no API key. */
export interface Journal {
  /** What killed runs against the same server left. */
  readonly leftovers: readonly CreatedObject[];
  /** Written synchronously, since the process can be killed at any time. */
  add(object: CreatedObject): void;
  /** Keeps only the objects with these names, for the next run. */
  close(notDeleted: readonly string[]): void;
}

/** A run ends within 15 minutes and its cleanup: a file that has not changed for longer is of a run that has ended. */
const LONGEST_RUN_MS = 3_600_000;

/** Opens the journal of a run. Files of runs that still go on are left alone. A folder that cannot be written is no reason to fail. */
export function openJournal(
  stateFolder: string,
  server: { readonly baseURL: string; readonly apiKey?: string | undefined },
): Journal {
  const folder = join(stateFolder, 'conform');
  const processes = processSpace();
  const prefix = hashOf(server.baseURL, server.apiKey ?? '');
  const own = join(folder, `${prefix}.${processes}.${process.pid}.${randomUUID()}`);
  const left = attempt([], () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${prefix}.`))
      .map((name) => join(folder, name))
      .filter((path) => hasEnded(path, processes));
  });
  const objects = new Map<string, CreatedObject>();
  for (const path of left) {
    const lines = attempt('', () => readFileSync(path, 'utf8')).split('\n');
    for (const object of lines.flatMap(createdObject)) objects.set(object.name, object);
  }
  return {
    leftovers: [...objects.values()],
    add(object) {
      objects.set(object.name, object);
      attempt(undefined, () => appendFileSync(own, lineOf(object), { mode: 0o600 }));
    },
    close(notDeleted) {
      const kept = notDeleted.flatMap((name) => objects.get(name) ?? []);
      attempt(undefined, () => {
        if (kept.length > 0) writeFileSync(own, kept.map(lineOf).join(''), { mode: 0o600 });
        for (const path of kept.length > 0 ? left : [...left, own]) rmSync(path, { force: true });
      });
    },
  };
}

const lineOf = (object: CreatedObject): string => `${JSON.stringify(object)}\n`;

const hashOf = (...values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);

/** Where the ID of a process means the same process: containers have IDs of their own, and may share a folder. */
const processSpace = (): string =>
  hashOf(
    hostname(),
    attempt('', () => readlinkSync('/proc/self/ns/pid')),
  );

function hasEnded(path: string, processes: string): boolean {
  const [, space, pid] = path.split('.').slice(-4);
  if (space === processes && !isRunning(Number(pid))) return true;
  return attempt(false, () => Date.now() - statSync(path).mtimeMs > LONGEST_RUN_MS);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function attempt<Value>(fallback: Value, action: () => Value): Value {
  try {
    return action();
  } catch {
    return fallback;
  }
}

/** The requests that remove what a run creates; the key of the server is sent with no other. */
const REMOVAL =
  /^(?:DELETE \/(?:chat\/completions|responses|conversations|files|videos)\/[\w.~%-]+|POST \/(?:uploads|batches)\/[\w.~%-]+\/cancel)$/;

/** A line that a crash has truncated is not JSON. */
function createdObject(line: string): readonly CreatedObject[] {
  const value = parseJson(line);
  if (!isRecord(value)) return [];
  const { name, method, path } = value;
  if (typeof name !== 'string' || typeof path !== 'string' || (method !== 'DELETE' && method !== 'POST')) return [];
  return REMOVAL.test(`${method} ${path}`) ? [{ name, method, path }] : [];
}
