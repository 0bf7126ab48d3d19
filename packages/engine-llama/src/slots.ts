import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';

/** The scope in which cached prompts are shared: one project and `prompt_cache_key`. */
export interface SlotScope {
  readonly project: string;
  readonly key: string | undefined;
}

/** A sequence that is held by one reply until it is released. */
export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** Its position in the context. */
  readonly position: number;
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
  readonly position: number;
  owner: string | undefined;
  busy: boolean;
  used: number;
}

/**
 * What one more pass for each step of the reply is worth, in tokens of a cached prompt: up to so many are evaluated again to avoid it.
 * llama.cpp evaluates only consecutive sequences in one pass.
 */
const passCost = 64;

/**
 * The sequences for concurrent replies. A sequence keeps its evaluated tokens: the next prompt of the same scope with the same
 * prefix resumes there. A prompt never resumes from the tokens of another scope; only how many those are can decide which sequence it gets.
 */
export function slots(context: LlamaContext, count: number): Slots {
  const places = Array.from({ length: count }, (_, position): Place => ({
    sequence: context.getSequence(),
    position,
    owner: undefined,
    busy: false,
    used: 0,
  }));
  const waiting: (() => void)[] = [];
  let clock = 0;

  /** How many more passes over the weights a step takes if this sequence is busy too: -1, 0 or 1. */
  const addedPasses = ({ position }: Place): number =>
    1 - [position - 1, position + 1].filter((neighbor) => places[neighbor]?.busy === true).length;
  const choose = (prompt: readonly Token[], owner: string): Place | undefined => {
    /** In tokens: the larger, the better. */
    const worth = (place: Place, isRecent: boolean): number => {
      const length = place.sequence.nextTokenIndex;
      const shared = place.owner === owner ? sharedTokens(place.sequence, prompt) : 0;
      // A short common prefix is not worth discarding the rest of the cached prompt.
      const saved = shared >= prompt.length / 4 || shared === length ? shared : 0;
      const lost = isRecent && saved === 0 ? length : 0;
      return saved - lost - passCost * addedPasses(place);
    };
    const free = places.filter(({ busy }) => !busy).sort((a, b) => a.used - b.used);
    // The prompts of the other half are less likely to be continued.
    const firstRecent = Math.ceil(free.length / 2);
    const ranked = free.map((place, index) => ({ place, worth: worth(place, index >= firstRecent) }));
    // Of equal ones, the least recently used.
    ranked.sort((a, b) => b.worth - a.worth);
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
          return { sequence: place.sequence, position: place.position, cached, release: () => release(place) };
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
