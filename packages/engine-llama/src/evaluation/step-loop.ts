/** Runs the evaluations of concurrent replies in steps: those of one step are one batch of llama.cpp. */
export interface StepLoop {
  /** The steps of the sequence at this position in the context. */
  forSequence(position: number): SequenceSteps;
}

export interface SequenceSteps {
  /**
   * Starts an evaluation of this many tokens in the next step that has room for it. Settles when all evaluations of that step
   * have finished, so that the replies ask for their next tokens together.
   */
  run<Value>(tokens: number, start: () => Promise<Value>): Promise<Value>;
  /** Calls back when the next step is being computed: work of the event loop then does not delay it. */
  afterDispatch(callback: () => void): void;
}

interface Task {
  readonly position: number;
  readonly tokens: number;
  /** Starts the evaluation; resolves to a function that settles its promise. */
  readonly start: () => Promise<() => void>;
}

/**
 * node-llama-cpp dispatches what is queued when a batch has ended. Replies that receive their tokens one after the other would
 * fall into two groups that take turns, each with half of the batch.
 *
 * llama.cpp evaluates sequences together only if their IDs are consecutive in the batch: one with the sequences 0, 1, 2, 3 takes
 * one pass over the weights, one with 3, 2, 1, 0 takes four.
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
    const started: Promise<() => void>[] = [];
    for (const { start } of selectTasks()) {
      started.push(start());
      await drainMicrotasks();
    }
    const settled = await Promise.all(started);
    isScheduled = false;
    for (const settle of settled) settle();
    schedule();
  };
  /** Next tokens of replies, and parts of prompts as far as they fit. */
  const selectTasks = (): readonly Task[] => {
    let remainingTokens = maxTokens;
    const selected = new Set<Task>();
    for (const task of queue.toSorted((a, b) => Number(a.tokens > 1) - Number(b.tokens > 1))) {
      if (selected.size > 0 && task.tokens > remainingTokens) continue;
      remainingTokens -= task.tokens;
      selected.add(task);
    }
    queue = queue.filter((task) => !selected.has(task));
    return [...selected].sort((a, b) => a.position - b.position);
  };
  const afterDispatch = (callback: () => void): void => {
    // The step starts in the next turn of the event loop, node-llama-cpp dispatches its batch one turn later.
    setImmediate(() => setImmediate(() => setImmediate(callback)));
  };
  return {
    forSequence: (position) => ({
      run: (tokens, start) =>
        new Promise((resolve, reject) => {
          queue.push({
            position,
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
      afterDispatch,
    }),
  };
}

/** node-llama-cpp adds an evaluation to its queue some microtasks after it is called. */
function drainMicrotasks(): Promise<void> {
  // Outside of a microtask, the callbacks of `nextTick` would run first.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
