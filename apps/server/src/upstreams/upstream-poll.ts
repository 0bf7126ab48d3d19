/** Times in milliseconds. */
export interface PollTimes {
  /** Between two checks while every upstream is available. */
  readonly intervalMs: number;
  /** Between two checks while an upstream is not. */
  readonly retryMs: number;
  /** A check that is asked for is skipped if the last one ended less than this ago. */
  readonly freshMs: number;
}

/** Repeats a check of the upstreams. */
export interface UpstreamPoll {
  /** Resolves when the result of the last check is fresh. */
  refresh(): Promise<void>;
  stop(): void;
}

/** Runs `check` at once and then repeatedly. `check` resolves with whether every upstream is available, and does not reject. */
export function pollUpstreams(
  check: () => Promise<boolean>,
  { intervalMs, retryMs, freshMs }: PollTimes,
): UpstreamPoll {
  let running: Promise<void> | undefined;
  let checkedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    const hasSucceeded = await check();
    running = undefined;
    checkedAt = performance.now();
    if (!isStopped) timer = setTimeout(() => void start(), hasSucceeded ? intervalMs : retryMs).unref();
  }
  const start = (): Promise<void> => (running ??= run());

  void start();
  return {
    async refresh() {
      if (running !== undefined || performance.now() - checkedAt >= freshMs) await start();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
