import { answerParent } from '../child.ts';
import type { Used } from '../http/host.ts';
import { startObserved } from '../http/servers/modelwire.ts';
import type { Telemetry } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';

/** Questions to the process of a server with telemetry: start it, turn its telemetry off or on, or report the CPU time. */
export type ServerQuestion =
  | { readonly telemetry: Telemetry; readonly upstream: string | undefined; readonly traceReceiver: string }
  | { readonly isObserved: boolean }
  | { readonly used: true };

let setObserved = (_: boolean): void => undefined;

answerParent(async (asked): Promise<Address | Used | undefined> => {
  const question = asked as ServerQuestion;
  if ('used' in question) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  }
  if ('isObserved' in question) {
    setObserved(question.isObserved);
    return undefined;
  }
  const started = await startObserved(question.telemetry, question.upstream, question.traceReceiver);
  setObserved = started.setObserved;
  return started.address;
});
