import { answerParent } from '../child.ts';
import type { Used } from '../http/host.ts';
import { startWithTelemetry } from '../http/servers/modelwire.ts';
import type { Telemetry } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';

/** Questions to the process of a server with telemetry: start it, enable or disable its telemetry, or report its resource usage. */
export type ServerQuestion =
  | { readonly telemetry: Telemetry; readonly upstream: string | undefined; readonly traceReceiver: string }
  | { readonly isTelemetryEnabled: boolean }
  | { readonly used: true };

let setTelemetryEnabled = (_: boolean): void => {
  throw new Error('the server has not been started');
};

answerParent(async (asked): Promise<Address | Used | undefined> => {
  const question = asked as ServerQuestion;
  if ('used' in question) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  }
  if ('isTelemetryEnabled' in question) {
    setTelemetryEnabled(question.isTelemetryEnabled);
    return undefined;
  }
  const started = await startWithTelemetry(question.telemetry, question.upstream, question.traceReceiver);
  setTelemetryEnabled = started.setTelemetryEnabled;
  return started.address;
});
