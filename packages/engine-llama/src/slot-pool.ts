import { createSemaphore } from '@modelwire/adapter-kit';
import { releaseOnce } from '@modelwire/adapter-kit/internal';
import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';

/** The scope in which cached prompts are shared: a project and `prompt_cache_key`. */
interface SlotScope {
  readonly project: string;
  readonly key: string | undefined;
}

/** A sequence that one reply uses until it releases it. */
export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** The position of the sequence in the context. */
  readonly position: number;
  /** The number of tokens at the start of the prompt that an earlier prompt or reply of the same scope has already evaluated. */
  readonly cached: number;
  release(): void;
}

interface AcquireOptions {
  /** Whether cached tokens are used. False if the scores of all tokens are needed. Default true. */
  readonly usesCache?: boolean;
  /** Whether the prompt may use cached tokens and be used by later ones. Default true. */
  readonly isCached?: boolean;
}

export interface SlotPool {
  /** Waits for a free sequence. At least the last token of the prompt must be evaluated again, because its scores are needed. */
  acquire(prompt: readonly Token[], scope: SlotScope, signal: AbortSignal, options?: AcquireOptions): Promise<Slot>;
}

interface SlotState {
  readonly sequence: LlamaContextSequence;
  readonly position: number;
  owner: string | undefined;
  isBusy: boolean;
  lastUsed: number;
}

/**
 * The cost of an additional pass over the weights in each step of the reply, in tokens of a cached prompt: up to so many are evaluated again
 * to avoid it. llama.cpp evaluates only consecutive sequences in one pass.
 */
const passCost = 64;

/**
 * Creates a pool of the sequences of a context. A sequence keeps its evaluated tokens, from which the next prompt of the same scope with the
 * same prefix resumes. A prompt never resumes from tokens of another scope; only the number of these tokens affects which sequence it gets.
 */
export function createSlotPool(context: LlamaContext, count: number): SlotPool {
  const states = Array.from({ length: count }, (_, position): SlotState => ({
    sequence: context.getSequence(),
    position,
    owner: undefined,
    isBusy: false,
    lastUsed: 0,
  }));
  const semaphore = createSemaphore(count);
  let clock = 0;

  /** The number of passes over the weights that a step takes in addition if this sequence is busy too: -1, 0 or 1. */
  const addedPasses = ({ position }: SlotState): number =>
    1 - [position - 1, position + 1].filter((neighbor) => states[neighbor]?.isBusy === true).length;
  /** The best free sequence. While a permit is held, there is always one. */
  const choose = (prompt: readonly Token[], owner: string): SlotState => {
    /** The preference for a sequence, in tokens. */
    const score = (state: SlotState, isRecent: boolean): number => {
      const length = state.sequence.nextTokenIndex;
      const shared = state.owner === owner ? sharedTokens(state.sequence, prompt) : 0;
      // A short common prefix does not justify discarding the rest of the cached prompt.
      const saved = shared >= prompt.length / 4 || shared === length ? shared : 0;
      const lost = isRecent && saved === 0 ? length : 0;
      return saved - lost - passCost * addedPasses(state);
    };
    const free = states.filter(({ isBusy }) => !isBusy).sort((a, b) => a.lastUsed - b.lastUsed);
    // The prompts of the less recently used half are unlikely to be continued.
    const firstRecent = Math.ceil(free.length / 2);
    const ranked = free.map((state, index) => ({ state, score: score(state, index >= firstRecent) }));
    // The sort is stable: among equal scores, the least recently used sequence is the first.
    ranked.sort((a, b) => b.score - a.score);
    const [best] = ranked;
    if (!best) throw new Error('no sequence is free');
    return best.state;
  };
  return {
    async acquire(prompt, { project, key }, signal, { usesCache = true, isCached = true } = {}) {
      const owner = JSON.stringify([project, key ?? null]);
      const releasePermit = await semaphore.acquire(signal);
      const state = choose(prompt, owner);
      const release = releaseOnce(() => {
        state.isBusy = false;
        state.lastUsed = ++clock;
        releasePermit();
      });
      state.isBusy = true;
      try {
        const shared = usesCache && isCached && state.owner === owner ? sharedTokens(state.sequence, prompt) : 0;
        const cached = await truncate(state.sequence, Math.min(shared, prompt.length - 1));
        state.owner = isCached ? owner : undefined;
        return { sequence: state.sequence, position: state.position, cached, release };
      } catch (error) {
        state.owner = undefined;
        release();
        throw error;
      }
    },
  };
}

function sharedTokens(sequence: LlamaContextSequence, prompt: readonly Token[]): number {
  return Math.min(sequence.compareContextTokens([...prompt]).firstDifferentIndex, prompt.length);
}

/** Removes all tokens of a sequence after the first `count`. Returns the number of tokens that remain. */
async function truncate(sequence: LlamaContextSequence, count: number): Promise<number> {
  const length = sequence.nextTokenIndex;
  if (count === length) return count;
  // If the state cannot be rolled back, node-llama-cpp would silently evaluate all tokens again.
  const canTruncate = !sequence.model.fileInsights.isRecurrent && count > Math.max(0, sequence.stateCellsStartIndex);
  if (count === 0 || !canTruncate) {
    await sequence.clearHistory();
    return 0;
  }
  await sequence.eraseContextTokenRanges([{ start: count, end: length }]);
  return count;
}
