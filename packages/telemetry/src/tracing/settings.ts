const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The settings of traces from the standard OpenTelemetry environment variables, except those that the exporter reads itself. */
export interface TracingSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: (typeof samplerNames)[number];
  /** The ratio of a ratio-based sampler, from 0 to 1. */
  readonly ratio: number;
  /** Whether spans of generations contain the messages of requests and replies. */
  readonly capturesContent: boolean;
  /** The limits of batches of spans, named as in the SDK. */
  readonly batches: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
  readonly spanLimits: {
    readonly attributeCountLimit: number;
    readonly attributeValueLengthLimit: number;
  };
}

/** Thrown for an environment variable with an unsupported value. */
export class TracingSettingError extends Error {
  override readonly name = 'TracingSettingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment variables. Returns undefined if tracing is disabled: no endpoint is set, or `OTEL_SDK_DISABLED` or
 * `OTEL_TRACES_EXPORTER` disables it.
 *
 * @throws TracingSettingError for an unsupported value.
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
    const value = text(name);
    if (value === undefined) return fallback;
    if (!/^\d{1,9}$/.test(value)) throw new TracingSettingError(`${name}: expected an integer, not '${value}'.`);
    return Number(value);
  };
  const maxQueueSize = Math.max(1, integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048));
  return {
    protocol: oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/protobuf', 'http/json']),
    sampler: oneOf('OTEL_TRACES_SAMPLER', sampler, samplerNames),
    ratio: readRatio(text('OTEL_TRACES_SAMPLER_ARG') ?? '1'),
    capturesContent: ['true', 'span_only', 'span_and_event'].includes(captured),
    batches: {
      scheduledDelayMillis: integer('OTEL_BSP_SCHEDULE_DELAY', 5000),
      maxQueueSize,
      maxExportBatchSize: Math.max(1, Math.min(maxQueueSize, integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512))),
      exportTimeoutMillis: integer('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    spanLimits: {
      attributeCountLimit: integer('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', integer('OTEL_ATTRIBUTE_COUNT_LIMIT', 128)),
      attributeValueLengthLimit: integer(
        'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT',
        integer('OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', Infinity),
      ),
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
