import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { schemaUrl } from './attributes.ts';
import { createTracing } from './create-tracing.ts';
import type { Tracing } from './create-tracing.ts';
import { reportFailures } from './report-failures.ts';
import type { TracingSettings } from './settings.ts';

export interface StartTracingOptions {
  readonly settings: TracingSettings;
  /** `service.version` of the resource. */
  readonly version: string;
  /**
   * Called when an export fails, but only once until an export has succeeded again. The cause, such as `status 401`, `timeout` or
   * `ECONNREFUSED`, never contains an address, a header or text of the receiver.
   */
  readonly onExportFailure: (cause: string) => void;
}

export interface StartedTracing extends Tracing {
  /** Exports the remaining spans. Resolves after at most `timeoutMs` (default 5000), and never rejects. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Starts to record spans and to export them over OTLP. Endpoint, headers, timeout, compression and certificates come from the OpenTelemetry
 * environment variables, as do the resource attributes (`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`); the default service name is
 * `modelwire`.
 */
export async function startTracing({
  settings,
  version,
  onExportFailure,
}: StartTracingOptions): Promise<StartedTracing> {
  const { batches, spanLimits, capturesContent } = settings;
  // Loaded on demand: `createTracing` does not require these packages.
  const [{ BatchSpanProcessor, TracerProvider }, resource, sampler, exporter] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    createResource(version),
    createSampler(settings),
    createExporter(settings),
  ]);
  const provider = new TracerProvider({
    resource,
    sampler,
    spanLimits,
    spanProcessors: [new BatchSpanProcessor({ ...batches, exporter: reportFailures(exporter, onExportFailure) })],
  });
  return {
    ...createTracing({ tracer: provider.getTracer('@modelwire/telemetry', version, { schemaUrl }), capturesContent }),
    async close(timeoutMs = 5000) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      // It rejects when an export fails, which has been reported.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
}

async function createResource(version: string) {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    await import('@opentelemetry/resources');
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'modelwire', 'service.version': version }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}

async function createSampler({ sampler, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Promise<Sampler> {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } =
    await import('@opentelemetry/sdk-trace');
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

async function createExporter({ protocol }: Pick<TracingSettings, 'protocol'>): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}
