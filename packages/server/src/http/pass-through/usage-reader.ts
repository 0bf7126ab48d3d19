import { createSseDecoder, isModelwireError } from '@modelwire/core';
import { addCounts, isJsonType, isRecord, parseJson, readTokenCounts } from '@modelwire/adapter-kit';
import type { CompletionUsage } from '@modelwire/schema/types';
import { BodyEnds } from './body-ends.ts';
import { tokensOfBytes, estimateTextTokens } from '../../admission/prompt-tokens.ts';
import { textBytesOf } from './text-bytes.ts';

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
