import { createTracingOf } from './create-tracing.ts';
import type { Tracing } from './create-tracing.ts';
import { recordedSpans } from './recorded-span.ts';
import { createSampling } from './sampling.ts';
import type { TracingSettings } from './settings.ts';

export interface StartTracingOptions {
  readonly settings: TracingSettings;
  /** `service.version` of the resource. */
  readonly version: string;
  /** Called when spans cannot be exported, and not again before an export has succeeded. */
  readonly onExportFailure: (error: unknown) => void;
}

export interface StartedTracing extends Tracing {
  /** Exports the remaining spans. Resolves after `timeoutMs` at the latest, and never rejects. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Starts to export spans over OTLP. Spans wait in a queue of bounded length, and are dropped where it is full. The
 * attributes of the resource are those of `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`, by default the service `modelwire`.
 */
export async function startTracing({
  settings,
  version,
  onExportFailure,
}: StartTracingOptions): Promise<StartedTracing> {
  const { sampler, ratio, capturesContent } = settings;
  // Loaded on demand: `createTracing` does not require these packages.
  const [resources, { createOtlpExporter }] = await Promise.all([
    import('@opentelemetry/resources'),
    import('./otlp-exporter.ts'),
  ]);
  const { detectResources, defaultResource, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    resources;
  const sampling = createSampling(sampler, ratio);
  const exporter = await createOtlpExporter(settings, onExportFailure);
  const startRoot = recordedSpans({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'modelwire', 'service.version': version }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    instrumentationScope: { name: '@modelwire/telemetry', version },
    idGenerator: sampling.idGenerator,
    onEnd: (span) => exporter.add(span),
  });
  return {
    ...createTracingOf(startRoot, { sampling, capturesContent }),
    async close(timeoutMs = 5000) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([exporter.close(), timeout]);
      clearTimeout(timer);
    },
  };
}
