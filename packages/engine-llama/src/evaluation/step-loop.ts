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
  let queue: Task[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    setImmediate(() => void step());
  };
  const step = async (): Promise<void> => {
    const tasks = selectTasks();
    const settled = await Promise.all(tasks.map(({ start }) => start()));
    isScheduled = false;
    for (const settle of settled) settle();
    schedule();
  };
  /** Next tokens of replies first, then parts of prompts as far as they fit. */
  const selectTasks = (): readonly Task[] => {
    let remainingTokens = maxTokens;
    const selected = new Set<Task>();
    for (const task of queue.toSorted((a, b) => Number(a.tokens > 1) - Number(b.tokens > 1))) {
      if (selected.size > 0 && task.tokens > remainingTokens) continue;
      remainingTokens -= task.tokens;
      selected.add(task);
    }
    queue = queue.filter((task) => !selected.has(task));
    return [...selected];
  };
  return {
    run: (tokens, start) =>
      new Promise((resolve, reject) => {
        queue.push({
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
