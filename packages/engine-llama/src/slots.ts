import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';

/** The scope in which cached prompts are shared: one project and `prompt_cache_key`. */
export interface SlotScope {
  readonly project: string;
  readonly key: string | undefined;
}

/** A sequence that is held by one reply until it is released. */
export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** Tokens at the start of the prompt that are already evaluated, by an earlier prompt or reply of the same scope. */
  readonly cached: number;
  release(): void;
}

export interface Slots {
  /** Waits for a free sequence. At least the last token of the prompt is evaluated again, because its scores are needed. */
  acquire(prompt: readonly Token[], scope: SlotScope, signal: AbortSignal): Promise<Slot>;
}

interface Place {
  readonly sequence: LlamaContextSequence;
  owner: string | undefined;
  busy: boolean;
  used: number;
}

/**
 * The sequences for concurrent replies. A sequence keeps its evaluated tokens: the next prompt of the same scope with the same
 * prefix resumes there. Projects cannot observe each other's prompts, not even by timing.
 */
export function slots(context: LlamaContext, count: number): Slots {
  const places = Array.from({ length: count }, (): Place => ({
    sequence: context.getSequence(),
    owner: undefined,
    busy: false,
    used: 0,
  }));
  const waiting: (() => void)[] = [];
  let clock = 0;

  const choose = (prompt: readonly Token[], owner: string): Place | undefined => {
    const worth = (place: Place): number => {
      if (place.owner !== owner) return 0;
      const shared = sharedTokens(place.sequence, prompt);
      // A short common prefix is not worth discarding the rest of the cached prompt.
      return shared >= prompt.length / 4 || shared === place.sequence.nextTokenIndex ? shared : 0;
    };
    const ranked = places.filter(({ busy }) => !busy).map((place) => ({ place, worth: worth(place) }));
    // The sequence with the longest common prefix; without any, the least recently used.
    ranked.sort((a, b) => b.worth - a.worth || a.place.used - b.place.used);
    return ranked[0]?.place;
  };
  const release = (place: Place): void => {
    place.busy = false;
    place.used = ++clock;
    waiting.shift()?.();
  };

  return {
    async acquire(prompt, { project, key }, signal) {
      const owner = JSON.stringify([project, key ?? null]);
      for (;;) {
        signal.throwIfAborted();
        const place = choose(prompt, owner);
        if (place === undefined) {
          await turn(waiting, signal);
          // A waiter that was aborted meanwhile passes the sequence on.
          if (signal.aborted) waiting.shift()?.();
          continue;
        }
        place.busy = true;
        try {
          const shared = place.owner === owner ? sharedTokens(place.sequence, prompt) : 0;
          const cached = await keep(place.sequence, Math.min(shared, prompt.length - 1));
          place.owner = owner;
          return { sequence: place.sequence, cached, release: () => release(place) };
        } catch (error) {
          place.owner = undefined;
          release(place);
          throw error;
        }
      }
    },
  };
}

function sharedTokens(sequence: LlamaContextSequence, prompt: readonly Token[]): number {
  return Math.min(sequence.compareContextTokens([...prompt]).firstDifferentIndex, prompt.length);
}

/** Keeps the first tokens of a sequence and removes the others. Returns how many remain. */
async function keep(sequence: LlamaContextSequence, count: number): Promise<number> {
  const length = sequence.nextTokenIndex;
  if (count === length) return count;
  // Such models cannot go back, and node-llama-cpp would silently evaluate everything again.
  const canGoBack = !sequence.model.fileInsights.isRecurrent && count > Math.max(0, sequence.stateCellsStartIndex);
  if (count === 0 || !canGoBack) {
    await sequence.clearHistory();
    return 0;
  }
  await sequence.eraseContextTokenRanges([{ start: count, end: length }]);
  return count;
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      const at = waiting.indexOf(go);
      if (at !== -1) waiting.splice(at, 1);
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(go);
  });
}
