import { parseResponseCreate } from '@modelwire/schema';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { ParsedChatRequest } from '../replies/chat-request.ts';
import { matches } from '../replies/match.ts';
import { matchPattern } from '../replies/pattern.ts';
import type { ChatRequestInfo } from '../replies/types.ts';
import { chatOfResponse } from './response-chat.ts';
import type { PlannedFault, PlannedFaultOf } from './schema.ts';

/** The facts about a request that faults match. */
export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  /** Whether the request asks for a stream. */
  readonly isStream: boolean;
  /** For requests of chat completions and responses. */
  readonly chat: ChatRequestInfo | undefined;
}

export interface FaultPlan {
  /** Whether no fault is left. */
  readonly isSpent: () => boolean;
  /** Returns the faults for this request and counts their use. */
  faultsFor(facts: FaultRequest): readonly PlannedFault[];
  /** Returns a fault for work inside the server. */
  takeInternal<Name extends InternalFault>(name: Name, chat?: ChatRequestInfo): PlannedFaultOf<Name> | undefined;
  add(faults: readonly PlannedFault[]): void;
  reset(): void;
  /** Faults that were not used up. */
  readonly left: () => readonly PlannedFault[];
}

const internalFaults = ['batch-line', 'video-failure'] as const;
type InternalFault = (typeof internalFaults)[number];
const ofStreams: readonly string[] = ['token-pace', 'malformed-frame', 'truncated'];

interface Entry {
  readonly fault: PlannedFault;
  skipped: number;
  used: number;
}

export function createFaultPlan(given: readonly PlannedFault[]): FaultPlan {
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
    faultsFor(facts) {
      return entries
        .filter((entry) => isLeft(entry) && !isInternal(entry.fault) && fits(entry.fault, facts) && take(entry))
        .map(({ fault }) => fault);
    },
    takeInternal(name, chat) {
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

const isInternal = ({ fault }: PlannedFault): boolean => (internalFaults as readonly string[]).includes(fault);

function fits({ fault, when }: PlannedFault, { method, path, isStream, chat }: FaultRequest): boolean {
  const { method: wantedMethod, path: wantedPath, ...wanted } = when;
  if (wantedMethod !== undefined && wantedMethod !== method) return false;
  if (wantedPath !== undefined && !matchPattern(path, wantedPath)) return false;
  if (ofStreams.includes(fault) && !isStream) return false;
  if (Object.values<unknown>(wanted).every((part) => part === undefined)) return true;
  return chat !== undefined && matches(wanted, chat) !== undefined;
}

/** The facts about a request. `url` has the query; `text` is the body if it is JSON. */
export function parseFaultRequest(
  method: string,
  url: string,
  text: string | undefined,
  signal: AbortSignal,
): FaultRequest {
  const { pathname: path, searchParams } = new URL(url, 'http://modelwire.test');
  const body = objectOf(text);
  const isStream = body ? 'stream' in body && body.stream === true : searchParams.get('stream') === 'true';
  const request = body && chatBodyOf(path, body);
  return { method, path, isStream, chat: request && new ParsedChatRequest(request, () => signal) };
}

/** Undefined for an invalid body, which the server rejects; conditions of replies do not match it. */
function chatBodyOf(path: string, body: object): ChatCompletionCreateParams | undefined {
  if (path.endsWith('/responses')) {
    const parsed = parseResponseCreate(body);
    return parsed.ok ? chatOfResponse(parsed.value) : undefined;
  }
  if (!path.endsWith('/chat/completions') || !('messages' in body) || !('model' in body)) return undefined;
  if (!Array.isArray(body.messages) || typeof body.model !== 'string') return undefined;
  return body as ChatCompletionCreateParams;
}

function objectOf(text: string | undefined): object | undefined {
  try {
    const body: unknown = JSON.parse(text ?? '');
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
