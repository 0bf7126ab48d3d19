import { samplers } from './sampling.ts';
import type { SamplerName } from './sampling.ts';

/** Settings of traces from the standard OpenTelemetry environment variables. The exporter reads its own variables itself. */
export interface TracingSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: SamplerName;
  /** From 0 to 1. */
  readonly ratio: number;
  readonly capturesContent: boolean;
  /** Limits of the batches of spans, as the SDK names them. */
  readonly batches: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
}

/** A variable has a value that is not supported. */
export class TracingSettingError extends Error {
  override readonly name = 'TracingSettingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables; undefined if traces are off: no endpoint is set, or `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER` turns them
 * off.
 *
 * @throws TracingSettingError for a value that is not supported.
 */
export function readTracingSettings(env: Environment): TracingSettings | undefined {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const endpoint = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined || text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const exporter = text('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (exporter === 'none') return undefined;
  oneOf('OTEL_TRACES_EXPORTER', exporter, ['otlp', 'none']);
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new TracingSettingError(`OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https URL, not '${endpoint}'.`);
  }
  const protocolName = 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const protocol = text(protocolName) ?? text('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf';
  const sampler = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const captured = text('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')?.toLowerCase() ?? 'false';
  const integer = (name: string, fallback: number): number => {
    const value = text(name) ?? String(fallback);
    if (!/^\d{1,9}$/.test(value)) throw new TracingSettingError(`${name}: expected an integer, not '${value}'.`);
    return Number(value);
  };
  const maxQueueSize = Math.max(1, integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048));
  return {
    protocol: oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/protobuf', 'http/json']),
    sampler: oneOf('OTEL_TRACES_SAMPLER', sampler, samplers),
    ratio: readRatio(text('OTEL_TRACES_SAMPLER_ARG') ?? '1'),
    capturesContent: ['true', 'span_only', 'span_and_event'].includes(captured),
    batches: {
      scheduledDelayMillis: integer('OTEL_BSP_SCHEDULE_DELAY', 5000),
      maxQueueSize,
      maxExportBatchSize: Math.max(1, Math.min(maxQueueSize, integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512))),
      exportTimeoutMillis: integer('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
  };
}

function readRatio(text: string): number {
  const ratio = Number(text);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new TracingSettingError(`OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1, not '${text}'.`);
  }
  return ratio;
}

function oneOf<const Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === text);
  if (value === undefined) {
    throw new TracingSettingError(`${name}: expected ${values.join(' or ')}, not '${text}'.`);
  }
  return value;
}
