/** Runs the evaluations of concurrent replies in steps: those of one step are one batch of llama.cpp. */
export interface StepLoop {
  /**
   * Starts an evaluation of this many tokens in the next step that has room for it. Settles when all evaluations of that step
   * have finished, so that the replies ask for their next tokens together.
   */
  run<Value>(tokens: number, start: () => Promise<Value>): Promise<Value>;
  /** Calls back when the next step is being computed: work of the event loop then does not delay it. */
  afterDispatch(callback: () => void): void;
}

interface Task {
  readonly tokens: number;
  /** Starts the evaluation; resolves to a function that settles its promise. */
  readonly start: () => Promise<() => void>;
}

/**
 * node-llama-cpp dispatches what is queued when a batch has ended. Replies that receive their tokens one after the other would
 * fall into two groups that take turns, each with half of the batch.
 */
export function createStepLoop(maxTokens: number): StepLoop {
  let waiting: Task[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => void step());
  };
  const step = async (): Promise<void> => {
    const tasks = takeStep();
    const settled = await Promise.all(tasks.map(({ start }) => start()));
    isScheduled = false;
    for (const settle of settled) settle();
    schedule();
  };
  /** Next tokens of replies first, then parts of prompts as far as they fit. */
  const takeStep = (): readonly Task[] => {
    let left = maxTokens;
    const taken = new Set<Task>();
    for (const task of waiting.toSorted((a, b) => Number(a.tokens > 1) - Number(b.tokens > 1))) {
      if (taken.size > 0 && task.tokens > left) continue;
      left -= task.tokens;
      taken.add(task);
    }
    waiting = waiting.filter((task) => !taken.has(task));
    return [...taken];
  };
  return {
    run: (tokens, start) =>
      new Promise((resolve, reject) => {
        waiting.push({
          tokens,
          start: async () => {
            try {
              const value = await start();
              return () => resolve(value);
            } catch (error) {
              return () => reject(error instanceof Error ? error : new Error(String(error)));
            }
          },
        });
        schedule();
      }),
    afterDispatch(callback) {
      // The step starts in the next turn of the event loop, node-llama-cpp dispatches its batch one turn later.
      setImmediate(() => setImmediate(() => setImmediate(callback)));
    },
  };
}
