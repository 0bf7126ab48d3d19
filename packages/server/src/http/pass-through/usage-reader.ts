import { isRecord, readTokenCounts } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import { JsonMembers } from './json-members.ts';

/** Paths of the usage in replies: most have it at the top level, events of responses and messages in an object. */
const usagePaths = ['usage', 'response.usage', 'message.usage'];
const maxUsageBytes = 16 * 1024;

/** Extracts the usage of a reply from its stream of bytes. */
export interface UsageReader {
  write(bytes: Uint8Array): void;
  /** What has been read so far; undefined if there was none. */
  readonly usage: CompletionUsage | undefined;
}

/** @returns undefined for a reply that is neither JSON nor server-sent events. */
export function createUsageReader(contentType: string | undefined): UsageReader | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isEvents = type === 'text/event-stream';
  if (!isEvents && !/^application\/(?:[\w.-]+\+)?json$/.test(type)) return undefined;
  const fields = new Map<string, unknown>();
  const read = (members: JsonMembers, bytes: Uint8Array): void => {
    for (const { text } of members.write(bytes)) merge(fields, text);
  };
  const jsonMembers = new JsonMembers(usagePaths, maxUsageBytes);
  const events = new EventData(() => new JsonMembers(usagePaths, maxUsageBytes), read);
  return {
    write: (bytes) => (isEvents ? events.write(bytes) : read(jsonMembers, bytes)),
    get usage() {
      return readTokenCounts(Object.fromEntries(fields));
    },
  };
}

/** Later numbers replace earlier ones: a stream may report the prompt tokens first, and the completion tokens at its end. */
function merge(fields: Map<string, unknown>, text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, field] of Object.entries(value)) if (field !== null) fields.set(name, field);
}

const lineFeed = 0x0a;
const prefix = 'data:';

/** The data of server-sent events, line by line, without buffering: each data line is a separate JSON text. */
class EventData {
  readonly #open: () => JsonMembers;
  readonly #read: (members: JsonMembers, bytes: Uint8Array) => void;
  /** The start of a line, until it is known whether it is data. */
  #start = '';
  #line: JsonMembers | 'other' | undefined;

  constructor(open: () => JsonMembers, read: (members: JsonMembers, bytes: Uint8Array) => void) {
    this.#open = open;
    this.#read = read;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#line === undefined) {
        const byte = bytes[at] ?? 0;
        at += 1;
        if (byte === lineFeed) this.#start = '';
        else this.#start += String.fromCharCode(byte);
        if (this.#start === prefix) this.#line = this.#open();
        else if (!prefix.startsWith(this.#start)) this.#line = 'other';
        continue;
      }
      const found = bytes.indexOf(lineFeed, at);
      const end = found === -1 ? bytes.length : found;
      if (this.#line !== 'other') this.#read(this.#line, bytes.subarray(at, end));
      at = end;
      if (found === -1) return;
      at += 1;
      this.#line = undefined;
      this.#start = '';
    }
  }
}
