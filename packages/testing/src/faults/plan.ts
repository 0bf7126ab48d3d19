import { parseResponseCreate } from '@modelwire/schema';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { ParsedChatRequest } from '../replies/chat-request.ts';
import { matches } from '../replies/match.ts';
import { matchPattern } from '../replies/pattern.ts';
import type { ChatRequestInfo } from '../replies/types.ts';
import { chatOfResponse } from './response-chat.ts';
import type { PlannedFault, PlannedFaultOf } from './schema.ts';

/** The parts of a request that faults are matched by. */
export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  /** Whether the request asks for a stream. */
  readonly isStream: boolean;
  /** For requests of chat completions and responses. */
  readonly chat: ChatRequestInfo | undefined;
}

export interface FaultPlan {
  /** Whether all faults are used up. */
  readonly isSpent: () => boolean;
  /** Returns the faults for this request and counts their use. */
  faultsFor(request: FaultRequest): readonly PlannedFault[];
  /** Returns a fault for work inside the server. */
  takeInternal<Name extends InternalFault>(name: Name, chat?: ChatRequestInfo): PlannedFaultOf<Name> | undefined;
  add(faults: readonly PlannedFault[]): void;
  reset(): void;
  /** Faults that were not used up. */
  readonly unused: () => readonly PlannedFault[];
}

const internalFaults = ['batch-line', 'video-failure'] as const;
type InternalFault = (typeof internalFaults)[number];
const streamFaults: readonly string[] = ['token-pace', 'malformed-frame', 'truncated'];

interface Entry {
  readonly fault: PlannedFault;
  skipped: number;
  used: number;
}

export function createFaultPlan(initialFaults: readonly PlannedFault[]): FaultPlan {
  const createEntries = (faults: readonly PlannedFault[]): Entry[] =>
    faults.map((fault) => ({ fault, skipped: 0, used: 0 }));
  let entries = createEntries(initialFaults);
  const isUsable = ({ fault, used }: Entry): boolean => fault.times === 'always' || used < fault.times;

  function countUse(entry: Entry): boolean {
    if (entry.skipped < entry.fault.skip) {
      entry.skipped++;
      return false;
    }
    entry.used++;
    return true;
  }
  return {
    isSpent: () => !entries.some(isUsable),
    faultsFor(request) {
      return entries
        .filter(
          (entry) =>
            isUsable(entry) && !isInternal(entry.fault) && matchesFault(entry.fault, request) && countUse(entry),
        )
        .map(({ fault }) => fault);
    },
    takeInternal(name, chat) {
      for (const entry of entries) {
        const { fault } = entry;
        if (!isNamed(fault, name) || !isUsable(entry)) continue;
        if ((!chat || matches(entry.fault.when, chat)) && countUse(entry)) return fault;
      }
      return undefined;
    },
    add(faults) {
      entries = [...entries, ...createEntries(faults)];
    },
    reset() {
      entries = createEntries(initialFaults);
    },
    unused: () =>
      entries.filter(({ fault, used }) => fault.times !== 'always' && used < fault.times).map(({ fault }) => fault),
  };
}

function isNamed<Name extends PlannedFault['fault']>(fault: PlannedFault, name: Name): fault is PlannedFaultOf<Name> {
  return fault.fault === name;
}

const isInternal = ({ fault }: PlannedFault): boolean => (internalFaults as readonly string[]).includes(fault);

function matchesFault({ fault, when }: PlannedFault, { method, path, isStream, chat }: FaultRequest): boolean {
  const { method: methodPattern, path: pathPattern, ...chatMatcher } = when;
  if (methodPattern !== undefined && methodPattern !== method) return false;
  if (pathPattern !== undefined && !matchPattern(path, pathPattern)) return false;
  if (streamFaults.includes(fault) && !isStream) return false;
  if (Object.values<unknown>(chatMatcher).every((part) => part === undefined)) return true;
  return chat !== undefined && matches(chatMatcher, chat) !== undefined;
}

/** Parses the parts of a request that faults are matched by. `url` has the query; `text` is the body if it is JSON. */
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
