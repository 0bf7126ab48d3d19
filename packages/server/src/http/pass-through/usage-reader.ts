import { createSseDecoder, isModelwireError } from '@modelwire/core';
import { addCounts, isJsonType, isRecord, parseJson, readTokenCounts } from '@modelwire/adapter-kit';
import type { CompletionUsage } from '@modelwire/schema/types';
import { BodyEnds } from './body-ends.ts';
import { tokensOfBytes } from '../../admission/prompt-tokens.ts';
import { estimateGeneratedTokens } from './generated-text.ts';
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
