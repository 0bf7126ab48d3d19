import type { TraceContext } from '../trace-context.ts';

/** Decides which requests are traced, before any span is created. */
export interface Sampling {
  /** @param parent The trace context of the caller; undefined where it has none. */
  isSampled(parent: TraceContext | undefined): boolean;
  /** Generates trace IDs for which samplers of other services with the same ratio make the same decision. */
  readonly idGenerator: { generateTraceId(): string; generateSpanId(): string };
  /** The ID of a trace that is not sampled. */
  unsampledTraceId(): string;
}

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** The samplers of the OpenTelemetry specification. @param ratio From 0 to 1, for those by ratio. */
export function createSampling(name: SamplerName, ratio: number): Sampling {
  const isParentBased = name.startsWith('parentbased_');
  const rootRatio = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : ratio;
  const bound = rootRatio === 1 ? 2 ** 32 : Math.floor(rootRatio * (2 ** 32 - 1));
  return {
    isSampled(parent) {
      if (!parent) return Math.random() < rootRatio;
      return isParentBased ? parent.isSampled : sampledValue(parent.traceId) < bound;
    },
    idGenerator: { generateTraceId: createTraceIds(0, bound), generateSpanId: randomSpanId },
    unsampledTraceId: bound === 2 ** 32 ? createTraceIds(0, bound) : createTraceIds(bound, 2 ** 32),
  };
}

/** The number that samplers by ratio compare: the exclusive or of the four 32-bit parts of the trace ID. */
function sampledValue(traceId: string): number {
  let value = 0;
  for (let at = 0; at < 32; at += 8) value ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return value >>> 0;
}

/** IDs that are encoded together: to encode each on its own takes longer than to find its random numbers. */
const poolSize = 64;

/** @param write Writes the random bytes of an ID. */
function createIds(bytesPerId: number, write: (bytes: Buffer, at: number) => void): () => string {
  const bytes = Buffer.alloc(poolSize * bytesPerId);
  let text = '';
  let used = 0;
  return () => {
    if (used === text.length) {
      for (let at = 0; at < bytes.length; at += bytesPerId) write(bytes, at);
      text = bytes.toString('hex');
      used = 0;
    }
    return text.slice(used, (used += 2 * bytesPerId));
  };
}

/** Trace IDs for which samplers by ratio see a number from `from` to `below - 1`. */
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

/** Not zero. */
export const randomSpanId = createIds(8, (bytes, at) => {
  bytes.writeUInt32BE(1 + randomBelow(2 ** 32 - 1), at);
  bytes.writeUInt32BE(randomBelow(2 ** 32), at + 4);
});

function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound);
}
