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
    unsampledTraceparent: createUnsampledTraceparents(
      bound === 2 ** 32 ? createTraceIds(0, bound) : createTraceIds(bound, 2 ** 32),
    ),
  };
}

/** The number that ratio-based samplers compare: the exclusive or of the four 32-bit parts of the trace ID. */
function sampledValue(traceId: string): number {
  let value = 0;
  for (let at = 0; at < 32; at += 8) value ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return value >>> 0;
}

/** Number of strings that are generated at a time: encoding each ID separately takes longer than generating its random numbers. */
const poolSize = 64;

/** Returns a generator of strings of the same length. @param generateAll Returns the next `poolSize` strings, concatenated. */
function createPooledGenerator(generateAll: () => string): () => string {
  let text = '';
  let length = 0;
  let used = 0;
  return () => {
    if (used === text.length) {
      text = generateAll();
      length = text.length / poolSize;
      used = 0;
    }
    return text.slice(used, (used += length));
  };
}

/** Returns a generator of IDs in hexadecimal digits. @param write Writes the random bytes of an ID. */
function createIds(bytesPerId: number, write: (bytes: Buffer, at: number) => void): () => string {
  const bytes = Buffer.alloc(poolSize * bytesPerId);
  return createPooledGenerator(() => {
    for (let at = 0; at < bytes.length; at += bytesPerId) write(bytes, at);
    return bytes.toString('hex');
  });
}

function createUnsampledTraceparents(generateTraceId: () => string): () => string {
  return createPooledGenerator(() =>
    Array.from({ length: poolSize }, () => unsampledTraceparent(generateTraceId(), randomSpanId())).join(''),
  );
}

/** Generates trace IDs whose sampled values are from `from` to `below - 1`. */
function createTraceIds(from: number, below: number): () => string {
  return createIds(16, (bytes, at) => {
    const first = 1 + randomBelow(2 ** 32 - 1);
    const second = randomBelow(2 ** 32);
    const third = randomBelow(2 ** 32);
    bytes.writeUInt32BE(first, at);
    bytes.writeUInt32BE(second, at + 4);
    bytes.writeUInt32BE(third, at + 8);
    bytes.writeUInt32BE((first ^ second ^ third ^ (from + randomBelow(below - from))) >>> 0, at + 12);
  });
}

/** Generates a span ID, which must not be zero. */
export const randomSpanId = createIds(8, (bytes, at) => {
  bytes.writeUInt32BE(1 + randomBelow(2 ** 32 - 1), at);
  bytes.writeUInt32BE(randomBelow(2 ** 32), at + 4);
});

function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound);
}
