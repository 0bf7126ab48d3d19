import { createTracingFrom } from './create-tracing.ts';
import type { Tracing } from './create-tracing.ts';
import { recordedSpanStarter } from './recorded-span.ts';
import { createSampler } from './sampler.ts';
import type { TracingSettings } from './settings.ts';

export interface StartTracingOptions {
  readonly settings: TracingSettings;
  /** `service.version` of the resource. */
  readonly version: string;
  /**
   * Called when an export fails, but only once until an export has succeeded again. The cause, such as `status 503`, `timeout` or
   * `ECONNREFUSED`, never contains an address, a header or text of the receiver.
   */
  readonly onExportFailure: (cause: string) => void;
}

export interface StartedTracing extends Tracing {
  /** Exports the remaining spans. Resolves after at most `timeoutMs` (default 5000), and never rejects. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Starts to record spans and to export them over OTLP. Spans are queued, and dropped while the queue is full. The resource attributes come from
 * `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`; the default service name is `modelwire`.
 */
export async function startTracing({
  settings,
  version,
  onExportFailure,
}: StartTracingOptions): Promise<StartedTracing> {
  const { capturesContent } = settings;
  // Loaded on demand: `createTracing` does not require these packages.
  const [resources, { createOtlpExporter }] = await Promise.all([
    import('@opentelemetry/resources'),
    import('./otlp-exporter.ts'),
  ]);
  const { detectResources, defaultResource, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    resources;
  const sampler = createSampler(settings.sampler, settings.ratio);
  const exporter = await createOtlpExporter(settings, onExportFailure);
  const startRoot = recordedSpanStarter({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'modelwire', 'service.version': version }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    instrumentationScope: { name: '@modelwire/telemetry', version },
    idGenerator: sampler.idGenerator,
    onEnd: (span) => exporter.add(span),
  });
  return {
    ...createTracingFrom(startRoot, { sampler, capturesContent }),
    async close(timeoutMs = 5000) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([exporter.close(), timeout]);
      clearTimeout(timer);
    },
  };
}
