import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: unknown };
}

/**
 * Starts a trace of the tasks of a page. The function returned ends it, and resolves to the longest task of the page's main thread, in
 * milliseconds of CPU time: unlike the wall time of `longtask` entries, it does not include the time of other programs.
 */
export async function traceTasks(browser: Browser, page: Page): Promise<() => Promise<number>> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  return async () => {
    const { traceEvents } = parseTrace(await browser.stopTracing());
    const mainThreads = new Set(
      traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
    );
    const tasks = traceEvents.filter((event) => event.tdur !== undefined && mainThreads.has(threadOf(event)));
    if (tasks.length === 0) throw new Error('The trace has no task of a page.');
    return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
  };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;

interface Trace {
  readonly traceEvents: readonly TraceEvent[];
}

function parseTrace(bytes: Buffer): Trace {
  const trace: unknown = JSON.parse(bytes.toString());
  if (!isTrace(trace)) throw new Error('The trace is not in the format of Chromium.');
  return trace;
}

function isTrace(value: unknown): value is Trace {
  return typeof value === 'object' && value !== null && 'traceEvents' in value && Array.isArray(value.traceEvents);
}
