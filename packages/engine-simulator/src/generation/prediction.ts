/** Number of predicted tokens in a draft. */
const draftLength = 16;
/** A draft is resumed where the last two tokens are found, at most this far ahead. */
const maxSkipped = 512;

/** Compares a prediction with the generated tokens (API: `prediction`). */
export interface Prediction {
  /** Compares a generated token: true when it was drafted. */
  take(id: number): boolean;
  /** The reply has ended: the rest of the draft is rejected. */
  end(): void;
  readonly accepted: number;
  readonly rejected: number;
}

/**
 * Drafts predicted tokens 16 at a time. Those that are generated are accepted. At the first other token the rest of the draft is
 * rejected, and the prediction resumes after the next occurrence of the last two generated tokens.
 */
export function trackPrediction(predicted: readonly number[]): Prediction {
  let position = 0;
  let draft = Math.min(draftLength, predicted.length);
  let previous = -1;
  let [accepted, rejected] = [0, 0];
  const startDraft = (): void => void (draft = Math.min(draftLength, predicted.length - position));
  return {
    take(id) {
      const hit = draft > 0 && predicted[position] === id;
      if (hit) {
        accepted++;
        position++;
        if (--draft === 0) startDraft();
      } else if (draft > 0) {
        rejected += draft;
        draft = 0;
      } else {
        const end = Math.min(predicted.length - 1, position + maxSkipped);
        for (let i = position; i < end && draft === 0; i++) {
          if (predicted[i] !== previous || predicted[i + 1] !== id) continue;
          position = i + 2;
          startDraft();
        }
      }
      previous = id;
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
