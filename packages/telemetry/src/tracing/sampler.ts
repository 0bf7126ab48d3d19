import { unsampledTraceparent } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';

/** Decides which requests are traced, before any span is created. */
export interface Sampler {
  /** @param parent The trace context of the client, if it sent one. */
  isSampled(parent: TraceContext | undefined): boolean;
  /** Generates IDs of sampled traces. The ratio-based samplers of other services with the same ratio also sample them. */
  readonly idGenerator: { generateTraceId(): string; generateSpanId(): string };
  /** Generates the header `traceparent` of a new trace that is not sampled. Ratio-based samplers with the same ratio do not sample it either. */
  unsampledTraceparent(): string;
}

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/**
 * Creates a sampler of the OpenTelemetry specification.
 * @param ratio The share of traces that ratio-based samplers sample, from 0 to 1. Other samplers ignore it.
 */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const isParentBased = name.startsWith('parentbased_');
  const rootRatio = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : ratio;
  const bound = rootRatio === 1 ? 2 ** 32 : Math.floor(rootRatio * (2 ** 32 - 1));
  return {
    isSampled(parent) {
      if (!parent) return Math.random() < rootRatio;
      return isParentBased ? parent.isSampled : sampledValue(parent.traceId) < bound;
    },
    idGenerator: { generateTraceId: createTraceIds(0, bound), generateSpanId: randomSpanId },
    unsampledTraceparent: createUnsampledTraceparents(bound === 2 ** 32 ? 0 : bound, 2 ** 32),
  };
}

/** The number that ratio-based samplers compare: the exclusive or of the four 32-bit parts of the trace ID. */
function sampledValue(traceId: string): number {
  let value = 0;
  for (let at = 0; at < 32; at += 8) value ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return value >>> 0;
}

/** Number of strings that are generated at a time: generating each separately takes several times as long. */
const poolSize = 64;

/** Returns a generator of random strings. @param write Writes random digits into the copy of the template at the offset. */
function createPooledGenerator(template: string, write: (buffer: Buffer, offset: number) => void): () => string {
  const { length } = template;
  const buffer = Buffer.from(template.repeat(poolSize), 'latin1');
  let pool = '';
  let used = 0;
  return () => {
    if (used === pool.length) {
      for (let offset = 0; offset < buffer.length; offset += length) write(buffer, offset);
      pool = buffer.toString('latin1');
      used = 0;
    }
    return pool.slice(used, (used += length));
  };
}

const zeroTraceId = '0'.repeat(32);
const zeroSpanId = '0'.repeat(16);

/** Generates trace IDs whose sampled values are from `from` to `below - 1`. */
function createTraceIds(from: number, below: number): () => string {
  return createPooledGenerator(zeroTraceId, (buffer, offset) => writeTraceId(buffer, offset, from, below));
}

function createUnsampledTraceparents(from: number, below: number): () => string {
  return createPooledGenerator(unsampledTraceparent(zeroTraceId, zeroSpanId), (buffer, offset) => {
    // 00-<trace ID>-<span ID>-00
    writeTraceId(buffer, offset + 3, from, below);
    writeSpanId(buffer, offset + 36);
  });
}

const randomSpanId = createPooledGenerator(zeroSpanId, writeSpanId);

/** Writes a trace ID that is not zero, and whose sampled value is from `from` to `below - 1`. */
function writeTraceId(buffer: Buffer, offset: number, from: number, below: number): void {
  const first = 1 + randomBelow(2 ** 32 - 1);
  const second = randomBelow(2 ** 32);
  const third = randomBelow(2 ** 32);
  writeHex(buffer, offset, first);
  writeHex(buffer, offset + 8, second);
  writeHex(buffer, offset + 16, third);
  writeHex(buffer, offset + 24, first ^ second ^ third ^ (from + randomBelow(below - from)));
}

/** Writes a span ID that is not zero. */
function writeSpanId(buffer: Buffer, offset: number): void {
  writeHex(buffer, offset, 1 + randomBelow(2 ** 32 - 1));
  writeHex(buffer, offset + 8, randomBelow(2 ** 32));
}

function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound);
}

/** Writes the lowest 32 bits of a number as eight digits. Has no branches, because random digits would cause mispredictions. */
function writeHex(buffer: Buffer, offset: number, value: number): void {
  let bits = value | 0;
  for (let digit = 7; digit >= 0; digit--) {
    const nibble = bits & 15;
    buffer[offset + digit] = nibble + 48 + 39 * ((nibble + 6) >> 4);
    bits >>= 4;
  }
}
