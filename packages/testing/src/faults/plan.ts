import { AskedRequest } from '../replies/asked.ts';
import { matches } from '../replies/match.ts';
import { findIn } from '../replies/pattern.ts';
import type { AskedChat } from '../replies/types.ts';
import type { PlannedFault, PlannedFaultOf } from './schema.ts';

/** What there is to know of a request before it is answered. */
export interface FaultFacts {
  readonly method: string;
  readonly path: string;
  /** Of a request for a completion. */
  readonly chat: AskedChat | undefined;
}

export interface FaultPlan {
  /** Whether no fault can befall any request any more. */
  readonly isSpent: () => boolean;
  /** Those that befall this request on its way; each counts as used. */
  befalling(facts: FaultFacts): readonly PlannedFault[];
  /** One that befalls work inside the server. */
  inside<Name extends InsideName>(name: Name, chat?: AskedChat): PlannedFaultOf<Name> | undefined;
  add(faults: readonly PlannedFault[]): void;
  reset(): void;
  /** Those that could still befall somebody, but need not. */
  readonly left: () => readonly PlannedFault[];
}

const insideNames = ['batch-line', 'video-failure'] as const;
type InsideName = (typeof insideNames)[number];
const ofStreams: readonly string[] = ['token-pace', 'malformed-frame', 'truncated'];

interface Entry {
  readonly fault: PlannedFault;
  skipped: number;
  used: number;
}

export function faultPlan(given: readonly PlannedFault[]): FaultPlan {
  const entriesOf = (faults: readonly PlannedFault[]): Entry[] =>
    faults.map((fault) => ({ fault, skipped: 0, used: 0 }));
  let entries = entriesOf(given);
  const isLeft = ({ fault, used }: Entry): boolean => fault.times === 'always' || used < fault.times;

  function take(entry: Entry): boolean {
    if (entry.skipped < entry.fault.skip) {
      entry.skipped++;
      return false;
    }
    entry.used++;
    return true;
  }
  return {
    isSpent: () => !entries.some(isLeft),
    befalling(facts) {
      return entries
        .filter((entry) => isLeft(entry) && !isInside(entry.fault) && fits(entry.fault, facts) && take(entry))
        .map(({ fault }) => fault);
    },
    inside(name, chat) {
      for (const entry of entries) {
        const { fault } = entry;
        if (!isNamed(fault, name) || !isLeft(entry)) continue;
        if ((!chat || matches(entry.fault.when, chat)) && take(entry)) return fault;
      }
      return undefined;
    },
    add(faults) {
      entries = [...entries, ...entriesOf(faults)];
    },
    reset() {
      entries = entriesOf(given);
    },
    left: () =>
      entries.filter(({ fault, used }) => fault.times !== 'always' && used < fault.times).map(({ fault }) => fault),
  };
}

function isNamed<Name extends PlannedFault['fault']>(fault: PlannedFault, name: Name): fault is PlannedFaultOf<Name> {
  return fault.fault === name;
}

const isInside = ({ fault }: PlannedFault): boolean => (insideNames as readonly string[]).includes(fault);

function fits({ fault, when }: PlannedFault, { method, path, chat }: FaultFacts): boolean {
  const { method: wantedMethod, path: wantedPath, ...wanted } = when;
  if (wantedMethod !== undefined && wantedMethod !== method) return false;
  if (wantedPath !== undefined && !findIn(path, wantedPath)) return false;
  if (ofStreams.includes(fault) && chat?.stream !== true) return false;
  if (Object.values<unknown>(wanted).every((part) => part === undefined)) return true;
  return chat !== undefined && matches(wanted, chat) !== undefined;
}

/** What a request says of itself; `text` is its body where that is JSON. */
export function factsOf(method: string, path: string, text: string | undefined, signal: AbortSignal): FaultFacts {
  return { method, path, chat: path.endsWith('/chat/completions') ? chatOf(text, signal) : undefined };
}

/** What could be no request for a completion is refused by the server; to faults it is any request. */
function chatOf(text: string | undefined, signal: AbortSignal): AskedChat | undefined {
  try {
    const body: unknown = JSON.parse(text ?? '');
    if (typeof body !== 'object' || body === null || !('messages' in body) || !('model' in body)) return undefined;
    if (!Array.isArray(body.messages) || typeof body.model !== 'string') return undefined;
    return new AskedRequest(body as ConstructorParameters<typeof AskedRequest>[0], () => signal);
  } catch {
    return undefined;
  }
}
