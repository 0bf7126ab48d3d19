import type { StartedTracing } from '@modelwire/telemetry/tracing';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.ts';
import { version } from '../start/version.ts';

const packages = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
];

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

/**
 * Starts to export traces where the environment has an endpoint for them; otherwise nothing of OpenTelemetry is loaded.
 *
 * @throws ConfigError when a variable has a value that is not supported, or the packages of OpenTelemetry are not installed.
 */
export async function startTraces(logger: Pick<Logger, 'warn'>): Promise<StartedTracing | undefined> {
  const endpoint = endpoints.find((name) => (process.env[name] ?? '') !== '');
  if (endpoint === undefined) return undefined;
  try {
    const { readTracingSettings, startTracing } = await import('@modelwire/telemetry/tracing');
    const settings = readTracingSettings(process.env);
    return (
      settings &&
      (await startTracing({
        settings,
        version,
        onExportFailure: (cause) => logger.warn({ cause }, 'traces are not exported'),
      }))
    );
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'TracingSettingError') throw new ConfigError(error.message);
    if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `${endpoint} is set, but the packages that export traces are not installed. Run npm install ${packages.join(' ')}, or unset it.`,
    );
  }
}
