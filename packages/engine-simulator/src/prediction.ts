/** So many predicted tokens are checked at once. */
const draftLength = 16;
/** A draft goes on where the last two tokens are found, this far ahead at most. */
const farthest = 512;

/** A prediction held against what is generated (interface: `prediction`). */
export interface Prediction {
  /** Compares a token that was generated: true when it was in the draft. */
  take(id: number): boolean;
  /** The reply is over: what is left of the draft was in vain. */
  end(): void;
  readonly accepted: number;
  readonly rejected: number;
}

/**
 * Predicted tokens are drafted 16 at a time. Those that are generated are accepted; at the first that is not, the rest of its draft is
 * rejected, and the prediction is taken up again behind the next place in it where the last two generated tokens stand.
 */
export function prediction(predicted: readonly number[]): Prediction {
  let position = 0;
  /** Tokens of the draft that are not yet checked; 0 while the prediction is lost. */
  let draft = Math.min(draftLength, predicted.length);
  let before = -1;
  let [accepted, rejected] = [0, 0];

  const find = (id: number): void => {
    const end = Math.min(predicted.length - 1, position + farthest);
    for (let i = position; i < end; i++) {
      if (predicted[i] !== before || predicted[i + 1] !== id) continue;
      position = i + 2;
      draft = Math.min(draftLength, predicted.length - position);
      return;
    }
  };
  return {
    take(id) {
      const hit = draft > 0 && predicted[position] === id;
      if (hit) {
        accepted++;
        position++;
        draft--;
        if (draft === 0) draft = Math.min(draftLength, predicted.length - position);
      } else if (draft > 0) {
        rejected += draft;
        draft = 0;
      } else find(id);
      before = id;
      return hit;
    },
    end() {
      rejected += draft;
      draft = 0;
    },
    get accepted() {
      return accepted;
    },
    get rejected() {
      return rejected;
    },
  };
}
