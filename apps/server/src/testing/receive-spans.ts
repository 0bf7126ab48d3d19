import { createServer } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import { onTestFinished, vi } from 'vitest';

/** A span of OTLP in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface ExportRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

/** Receives spans over OTLP, and sets the environment so that servers export to it. */
export async function receiveSpans(env: Readonly<Record<string, string>> = {}): Promise<readonly ReceivedSpan[]> {
  const spans: ReceivedSpan[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body) as ExportRequest;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${await listenForTest(receiver)}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...env,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return spans;
}

/** Returns the value of an attribute of a span; undefined if it has none. */
export function attribute({ attributes }: ReceivedSpan, name: string): unknown {
  return Object.values(attributes.find((one) => one.key === name)?.value ?? {})[0];
}
