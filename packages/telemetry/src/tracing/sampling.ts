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
    idGenerator: { generateTraceId: () => traceIdOf(randomBelow(bound)), generateSpanId: randomSpanId },
    unsampledTraceId: () => traceIdOf(bound === 2 ** 32 ? randomBelow(bound) : bound + randomBelow(2 ** 32 - bound)),
  };
}

/** The number that samplers by ratio compare: the exclusive or of the four 32-bit parts of the trace ID. */
function sampledValue(traceId: string): number {
  let value = 0;
  for (let at = 0; at < 32; at += 8) value ^= Number.parseInt(traceId.slice(at, at + 8), 16);
  return value >>> 0;
}

const idBytes = Buffer.alloc(16);

/** The id is encoded from bytes: to join its digits takes longer, and even longer when the string is read. */
function traceIdOf(value: number): string {
  const first = 1 + randomBelow(2 ** 32 - 1);
  const second = randomBelow(2 ** 32);
  const third = randomBelow(2 ** 32);
  idBytes.writeUInt32BE(first, 0);
  idBytes.writeUInt32BE(second, 4);
  idBytes.writeUInt32BE(third, 8);
  idBytes.writeUInt32BE((first ^ second ^ third ^ value) >>> 0, 12);
  return idBytes.toString('hex');
}

/** Not zero. */
export function randomSpanId(): string {
  idBytes.writeUInt32BE(1 + randomBelow(2 ** 32 - 1), 0);
  idBytes.writeUInt32BE(randomBelow(2 ** 32), 4);
  return idBytes.toString('hex', 0, 8);
}

function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound);
}
