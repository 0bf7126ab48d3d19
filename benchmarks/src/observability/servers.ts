import { answerParent } from '../child.ts';
import type { Used } from '../http/host.ts';
import { startTelemetryVariants } from '../http/servers/modelwire.ts';
import type { TelemetryVariant } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';

/** Questions to a process that has a server for each variant of telemetry: start them, or report the CPU time. */
export type ServersQuestion =
  { readonly upstream: string | undefined; readonly traceReceiver: string } | { readonly used: true };

export type VariantAddresses = Record<TelemetryVariant, Address>;

answerParent(async (asked): Promise<VariantAddresses | Used> => {
  const question = asked as ServersQuestion;
  if ('used' in question) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  }
  return startTelemetryVariants(question.upstream, question.traceReceiver);
});
