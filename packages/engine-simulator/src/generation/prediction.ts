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
  let position = 0;
  let draft = 0;
  let previous = -1;
  const startDraft = (): void => void (draft = Math.min(draftLength, predicted.length - position));
  const reject = (): void => void ([counts.rejected, draft] = [counts.rejected + draft, 0]);
  const resume = (id: number): void => {
    const end = Math.min(predicted.length - 1, position + maxSkipped);
    for (let i = position; i < end && draft === 0; i++) {
      if (predicted[i] !== previous || predicted[i + 1] !== id) continue;
      position = i + 2;
      startDraft();
    }
  };
  startDraft();
  return {
    /** Compares a generated token: true when it was drafted. */
    take(id: number): boolean {
      const isAccepted = draft > 0 && predicted[position] === id;
      if (isAccepted) {
        counts.accepted++;
        position++;
        if (--draft === 0) startDraft();
      } else if (draft > 0) reject();
      else resume(id);
      previous = id;
      return isAccepted;
    },
    /** The reply has ended: the rest of the draft is rejected. */
    end: reject,
  };
}
