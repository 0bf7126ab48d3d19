/** Number of predicted tokens in a draft. */
const draftLength = 16;
/** A draft is resumed where the last two tokens are found, at most this far ahead. */
const maxSkipped = 512;

/**
 * Compares a prediction with the generated tokens (API: `prediction`). Drafts predicted tokens 16 at a time. Those that are generated are
 * accepted. At the first other token the rest of the draft is rejected, and the prediction resumes after the next occurrence of the last two
 * generated tokens.
 */
export function trackPrediction(predicted: readonly number[], counts: { accepted: number; rejected: number }) {
  /** The draft: the predicted tokens from `position` to before `end`. */
  let [position, end, previous] = [0, 0, -1];
  const draftFrom = (start: number): void =>
    void ([position, end] = [start, Math.min(start + draftLength, predicted.length)]);
  const reject = (): void => void ([counts.rejected, end] = [counts.rejected + end - position, position]);
  draftFrom(0);
  return {
    /** Compares a generated token: true when it was drafted. */
    take(id: number): boolean {
      const isAccepted = position < end && predicted[position] === id;
      if (isAccepted) {
        counts.accepted++;
        if (++position === end) draftFrom(end);
      } else if (position < end) reject();
      else {
        const ahead = predicted.slice(position, position + maxSkipped + 1);
        const found = ahead.findIndex((one, at) => one === previous && ahead[at + 1] === id);
        if (found !== -1) draftFrom(position + found + 2);
      }
      previous = id;
      return isAccepted;
    },
    /** The reply has ended: the rest of the draft is rejected. */
    end: reject,
  };
}
