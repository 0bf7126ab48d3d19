/** Runs the evaluations of concurrent replies in steps. The evaluations of a step form one batch of llama.cpp. */
export interface StepLoop {
  /** @param position The position of the sequence in the context. */
  forSequence(position: number): SequenceSteps;
}

/** What an evaluation is for: the next tokens of a reply, or a part of its prompt. */
type EvaluationKind = 'reply' | 'prompt';

export interface SequenceSteps {
  /**
   * Starts an evaluation of a number of tokens in the next step that has room for it. Settles when all evaluations of that step have
   * finished, so that the replies request their next tokens together.
   */
  run<Value>(kind: EvaluationKind, tokens: number, start: () => Promise<Value>): Promise<Value>;
  /** Calls back while the next step is being computed, when other work on the event loop does not delay it. */
  afterDispatch(callback: () => void): void;
  /** The number of evaluations in the current or last step. */
  readonly concurrency: number;
}

interface Task {
  readonly position: number;
  readonly kind: EvaluationKind;
  readonly tokens: number;
  /** Starts the evaluation; resolves to a function that settles its promise. */
  readonly start: () => Promise<() => void>;
}

/**
 * node-llama-cpp dispatches all queued evaluations when a batch has ended. Replies that receive their tokens one after the other would
 * split into two groups that alternate, each with half of the batch.
 *
 * llama.cpp evaluates sequences together only if their IDs are consecutive in the batch: one with the sequences 0, 1, 2, 3 takes
 * one pass over the weights, one with 3, 2, 1, 0 takes four.
 */
export function createStepLoop(maxTokens: number): StepLoop {
  let queue: Task[] = [];
  let isScheduled = false;
  let concurrency = 1;

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    setImmediate(() => void step());
  };
  const step = async (): Promise<void> => {
    const started: Promise<() => void>[] = [];
    const selected = selectTasks();
    concurrency = selected.length;
    for (const { start } of selected) {
      started.push(start());
      await drainMicrotasks();
    }
    const settled = await Promise.all(started);
    isScheduled = false;
    for (const settle of settled) settle();
    schedule();
  };
  /** Selects the next tokens of replies, and as many parts of prompts as fit. */
  const selectTasks = (): readonly Task[] => {
    let remainingTokens = maxTokens;
    const selected = new Set<Task>();
    for (const task of queue.toSorted((a, b) => Number(a.kind === 'prompt') - Number(b.kind === 'prompt'))) {
      if (selected.size > 0 && task.tokens > remainingTokens) continue;
      remainingTokens -= task.tokens;
      selected.add(task);
    }
    queue = queue.filter((task) => !selected.has(task));
    return [...selected].sort((a, b) => a.position - b.position);
  };
  const afterDispatch = (callback: () => void): void => {
    // The step starts in the next turn of the event loop, and node-llama-cpp dispatches its batch one turn later.
    setImmediate(() => setImmediate(() => setImmediate(callback)));
  };
  return {
    forSequence: (position) => ({
      run: (kind, tokens, start) =>
        new Promise((resolve, reject) => {
          queue.push({
            position,
            kind,
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
      get concurrency() {
        return concurrency;
      },
    }),
  };
}

/** Waits until node-llama-cpp has queued an evaluation, which happens some microtasks after the call. */
function drainMicrotasks(): Promise<void> {
  // Outside of a microtask, the callbacks of `nextTick` would run first.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
