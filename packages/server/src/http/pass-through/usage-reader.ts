import { addCounts, isRecord, readTokenCounts } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import { estimateGeneratedTokens } from './generated-text.ts';
import { JsonMembers } from './json-members.ts';

/** Paths of the usage in replies: most have it at the top level, events of responses and messages in an object. */
const usagePaths = ['usage', 'response.usage', 'message.usage'];
const maxUsageBytes = 16 * 1024;

/** Extracts the usage of a reply from its stream of bytes. */
export interface UsageReader {
  write(bytes: Uint8Array): void;
  /** What has been read so far; undefined if there was none. */
  readonly usage: CompletionUsage | undefined;
  /** An estimate of the generated tokens in the events that have been read so far. */
  readonly generatedTokens: number;
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
  let generatedTokens = 0;
  const events = new EventData(() => new JsonMembers(usagePaths, maxUsageBytes), {
    read,
    onData: (data) => (generatedTokens = addCounts(generatedTokens, estimateGeneratedTokens(data))),
  });
  return {
    write: (bytes) => (isEvents ? events.write(bytes) : read(jsonMembers, bytes)),
    get usage() {
      return readTokenCounts(Object.fromEntries(fields));
    },
    get generatedTokens() {
      return generatedTokens;
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
/** Longer data are no text: images and audio. */
const maxDataBytes = 64 * 1024;

interface EventDataListener {
  /** Bytes of a data line as they arrive. */
  read(members: JsonMembers, bytes: Uint8Array): void;
  /** A whole data line of at most `maxDataBytes`. */
  onData(data: string): void;
}

/** The data of server-sent events, line by line: each data line is a separate JSON text. */
class EventData {
  readonly #open: () => JsonMembers;
  readonly #listener: EventDataListener;
  /** The beginning of the data of this line. */
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The start of a line, until it is known whether it is data. */
  #start = '';
  #line: JsonMembers | 'other' | undefined;

  constructor(open: () => JsonMembers, listener: EventDataListener) {
    this.#open = open;
    this.#listener = listener;
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
      if (this.#line !== 'other') this.#add(this.#line, bytes.subarray(at, end));
      at = end;
      if (found === -1) return;
      this.#endLine();
      at += 1;
      this.#line = undefined;
      this.#start = '';
    }
  }

  #add(line: JsonMembers, bytes: Uint8Array): void {
    this.#listener.read(line, bytes);
    this.#bytes += bytes.byteLength;
    // A copy, since the caller may reuse the bytes.
    if (this.#bytes <= maxDataBytes) this.#pieces.push(bytes.slice());
    else this.#pieces = [];
  }

  #endLine(): void {
    if (this.#pieces.length > 0) this.#listener.onData(Buffer.concat(this.#pieces).toString());
    this.#pieces = [];
    this.#bytes = 0;
  }
}
