import { createSseDecoder, isModelwireError } from '@modelwire/core';
import { isRecord, parseJson, readTokenCounts } from '@modelwire/adapter-kit';
import { addCounts, isJsonType } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage } from '@modelwire/schema/types';
import { tokensOfBytes, estimateTextTokens } from '../../admission/prompt-tokens.ts';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';

/** Reads the usage of a reply from its bytes as they pass. */
export interface UsageReader {
  write(bytes: Uint8Array): void;
  /** Call after the last bytes. The usage of a reply that is one JSON object is known from then on. */
  end(): void;
  /** What has been read so far; undefined if there was none. */
  readonly usage: CompletionUsage | undefined;
  /** An estimate of the generated tokens in what has been read so far. */
  readonly generatedTokens: number;
}

/** @returns undefined for a reply that is neither JSON nor server-sent events. */
export function createUsageReader(contentType: string | undefined): UsageReader | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return eventReader();
  return isJsonType(contentType) ? objectReader() : undefined;
}

function objectReader(): UsageReader {
  const ends = new BodyEnds();
  let textBytes = 0;
  let usage: CompletionUsage | undefined;
  return {
    write(bytes) {
      textBytes += textBytesOf(bytes);
      ends.write(bytes);
    },
    end() {
      const reported = ends.member('usage');
      if (isRecord(reported)) usage = readTokenCounts(reported);
    },
    get usage() {
      return usage;
    },
    get generatedTokens() {
      return tokensOfBytes(textBytes);
    },
  };
}

/** Larger events contain images or whole responses: after one, the rest of the reply is not read. */
const maxEventBytes = 8 * 1024 * 1024;
/** Longer data is not text but images or audio. */
const maxTextLength = 64 * 1024;

function eventReader(): UsageReader {
  let fields: Readonly<Record<string, unknown>> = {};
  let generatedTokens = 0;
  let isReadable = true;
  const decoder = createSseDecoder({
    maxEventBytes,
    onEvent({ data }) {
      const event = parseJson(data);
      if (!isRecord(event)) return;
      // Events of responses and of messages have it in an object.
      for (const holder of [event, event['response'], event['message']]) {
        const reported = isRecord(holder) ? holder['usage'] : undefined;
        if (isRecord(reported)) fields = { ...fields, ...withoutNulls(reported) };
      }
      if (data.length <= maxTextLength) generatedTokens = addCounts(generatedTokens, estimateGeneratedTokens(event));
    },
  });
  return {
    write(bytes) {
      if (!isReadable) return;
      try {
        decoder.push(bytes);
      } catch (error) {
        if (!isModelwireError(error)) throw error;
        isReadable = false;
      }
    },
    end: () => undefined,
    get usage() {
      return readTokenCounts(fields);
    },
    get generatedTokens() {
      return generatedTokens;
    },
  };
}

/** Later numbers replace earlier ones: a stream may report the prompt tokens first, and the completion tokens at its end. */
function withoutNulls(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Names of members of events that contain what a model generated: text, reasoning, transcripts, and arguments of tools. */
const textNames: ReadonlySet<string> = new Set([
  ...['text', 'content', 'delta', 'refusal', 'transcript', 'partial_json', 'arguments'],
  ...['thinking', 'reasoning', 'reasoning_content'],
]);
/** Events that repeat the text of earlier ones. */
const repeatsText = /\.(?:done|completed|incomplete|failed|created|in_progress)$/;
const maxDepth = 8;

/** Estimates the tokens that a model generated in a server-sent event; 0 for an event without text. */
function estimateGeneratedTokens(event: Readonly<Record<string, unknown>>): number {
  const { type } = event;
  return typeof type === 'string' && repeatsText.test(type) ? 0 : tokensIn(event, 0);
}

function tokensIn(value: unknown, depth: number): number {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return 0;
  let tokens = 0;
  for (const [name, member] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
    if (typeof member !== 'string') tokens += tokensIn(member, depth + 1);
    else if (textNames.has(name)) tokens += estimateTextTokens(member);
  }
  return tokens;
}

/** Bytes that are kept of each end of a body. */
const endBytes = 32 * 1024;
/** Places of a name, and of closing brackets behind it, that are tried. */
const maxTries = 8;

/**
 * Keeps the beginning and the end of a JSON object as its bytes pass, to read a member that is small and stands beside large ones: replies
 * have their usage before or after embeddings and images of any size.
 */
export class BodyEnds {
  readonly #beginning = new ChunkBuffer();
  /** The last bytes: what follows the beginning, of which the older half is dropped whenever it is full. */
  #end: Buffer | undefined;
  #endLength = 0;
  #hasGap = false;

  write(bytes: Uint8Array): void {
    const first = bytes.subarray(0, endBytes - this.#beginning.length);
    this.#beginning.add(first);
    for (let at = first.byteLength; at < bytes.byteLength; at += endBytes)
      this.#append(bytes.subarray(at, at + endBytes));
  }

  /** The value of a member of the object, undefined if it has none with this name near its ends. Call after the last bytes. */
  member(name: string): unknown {
    const beginning = this.#beginning.join();
    const end = this.#end?.subarray(0, this.#endLength) ?? new Uint8Array();
    if (!this.#hasGap) return memberOf(Buffer.concat([beginning, end]).toString(), name);
    return memberAtEnd(decoder.decode(end), name) ?? memberAtBeginning(decoder.decode(beginning), name);
  }

  #append(piece: Uint8Array): void {
    this.#end ??= Buffer.allocUnsafe(2 * endBytes);
    if (this.#endLength + piece.byteLength > this.#end.byteLength) {
      this.#end.copyWithin(0, this.#endLength - endBytes, this.#endLength);
      this.#endLength = endBytes;
      this.#hasGap = true;
    }
    this.#end.set(piece, this.#endLength);
    this.#endLength += piece.byteLength;
  }
}

function memberOf(text: string, name: string): unknown {
  const value = parseJson(text);
  return isRecord(value) ? value[name] : undefined;
}

/** Parses from a member to the end: only for a member of the outer object is the rest valid JSON. */
function memberAtEnd(text: string, name: string): unknown {
  const places = [...text.matchAll(keyPattern(name))].slice(-maxTries);
  return places.map(({ index }) => memberOf(`{${text.slice(index)}`, name)).findLast((value) => value !== undefined);
}

/** Parses from the start to the end of a member: only for a member of the outer object does one bracket complete it. */
function memberAtBeginning(text: string, name: string): unknown {
  for (const { index } of [...text.matchAll(keyPattern(name))].slice(0, maxTries)) {
    const closings = [...text.slice(index, index + endBytes / 2).matchAll(/\}/g)].slice(0, maxTries);
    for (const closing of closings) {
      const value = memberOf(`${text.slice(0, index + closing.index + 1)}}`, name);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

const decoder = new TextDecoder();
const keyPattern = (name: string): RegExp => new RegExp(`"${name}"\\s*:`, 'g');

/** Longer runs of the characters of base64 are images and other contents, which have far fewer tokens than bytes. */
const maxTextRun = 1023;

/** The bytes that are not in long runs of base64. */
export function textBytesOf(chunk: Uint8Array): number {
  let bytes = 0;
  let run = 0;
  for (const byte of chunk) {
    if (isBase64[byte] === 1) {
      run += 1;
      continue;
    }
    if (run <= maxTextRun) bytes += run;
    bytes += 1;
    run = 0;
  }
  return run <= maxTextRun ? bytes + run : bytes;
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w+/=-]/.test(String.fromCharCode(byte)) ? 1 : 0));
