import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';

/** Whose prompts may be continued for each other: those of one project and `prompt_cache_key`. */
export interface SlotScope {
  readonly project: string;
  readonly key: string | undefined;
}

/** A sequence that belongs to one reply, until it is given back. */
export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** Tokens at the beginning of the prompt that need not be computed: an earlier prompt or reply of the same scope began with them. */
  readonly cached: number;
  release(): void;
}

export interface Slots {
  /** Waits for its turn. At least the last token of the prompt is never cached: its scores are wanted. */
  acquire(prompt: readonly Token[], scope: SlotScope, signal: AbortSignal): Promise<Slot>;
}

interface Place {
  readonly sequence: LlamaContextSequence;
  owner: string | undefined;
  busy: boolean;
  used: number;
}

/**
 * As many sequences as replies may run at once. What a sequence has computed stays in it: the next prompt that begins alike, of the same
 * scope, goes on from there. What one project has said, no other can learn of, not even by how long something takes.
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
    // The one that has most of the prompt; of those that have nothing the one that was used longest ago.
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
          // Who was called and has left meanwhile calls the next.
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

/** Leaves the first tokens of what a sequence has computed. Gives how many are left. */
async function keep(sequence: LlamaContextSequence, count: number): Promise<number> {
  const length = sequence.nextTokenIndex;
  if (count === length) return count;
  // Such models cannot go back, and node-llama-cpp would compute all of it again without saying so.
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
