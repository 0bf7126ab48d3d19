/** The numbers of drafted tokens that were generated, and that were not. */
export interface PredictionCounts {
  accepted: number;
  rejected: number;
}

/** The position of a reply in the text that was predicted for it (API: `prediction`). */
export interface Prediction<Token extends number = number> {
  /** Drafts the next tokens, if the last ones were predicted. Returns the drafted tokens that have not been compared yet. */
  draft(maxLength?: number): readonly Token[];
  /** Compares the next token of the reply. Returns whether it was drafted. */
  take(id: Token): boolean;
  /** Rejects the rest of the draft, because the reply has ended. */
  end(): void;
  /** The number of drafted tokens that have not been compared yet. */
  readonly pending: number;
}

/** A prediction resumes where at least this many of the last generated tokens are found in it. */
const minMatch = 2;
/** The number of the last generated tokens that are looked for. */
const maxMatch = 32;

/**
 * Compares a prediction with the generated tokens. At the first other token, the rest of a draft is rejected, and the prediction resumes where
 * the most of the last generated tokens are found, ahead if possible.
 *
 * @param predicted Tokens can be added at its end.
 * @param draftLength The number of tokens in a draft after this many tokens that were predicted; 0 at the start of the reply.
 * @param before The tokens before the reply, if the reply can start anywhere in the prediction instead of at its start.
 */
export function trackPrediction<Token extends number>(
  predicted: readonly Token[],
  counts: PredictionCounts,
  draftLength: (match: number) => number,
  before?: readonly Token[],
): Prediction<Token> {
  /** The draft: the predicted tokens from `position` to before `end`. */
  let [position, end] = [0, 0];
  /** The number of the last generated tokens that were predicted; undefined if the reply has left the prediction. */
  let match = before ? undefined : 0;
  let generated: readonly Token[] = before?.slice(-maxMatch) ?? [];
  const reject = (): void => {
    counts.rejected += Math.max(0, end - position);
    end = position;
  };
  const matchBefore = (next: number): number => {
    let count = 0;
    while (count < generated.length && predicted[next - 1 - count] === generated.at(-1 - count)) count++;
    return count;
  };
  const resume = (): void => {
    const from = position;
    const [last] = generated.slice(-1);
    const after = (start: number): number => (last === undefined ? 0 : predicted.indexOf(last, start) + 1);
    for (let next = after(0); next > 0 && next < predicted.length; next = after(next)) {
      const found = matchBefore(next);
      const isFirstAhead = found === match && position <= from && next > from;
      if (found >= minMatch && (found > (match ?? 0) || isFirstAhead)) [position, match] = [next, found];
    }
    end = position;
  };
  return {
    draft(maxLength = Infinity) {
      if (match === undefined && maxLength > 0) resume();
      const length = match === undefined ? 0 : Math.max(0, Math.min(draftLength(match), maxLength));
      if (position >= end) end = Math.min(position + length, predicted.length);
      return predicted.slice(position, end);
    },
    take(id) {
      generated = [...generated, id].slice(-maxMatch);
      const isPredicted = match !== undefined && predicted[position] === id;
      const isDrafted = isPredicted && position < end;
      if (isDrafted) counts.accepted++;
      if (isPredicted) {
        position++;
        match = Math.min((match ?? 0) + 1, maxMatch);
      } else {
        reject();
        match = undefined;
      }
      return isDrafted;
    },
    end: reject,
    get pending() {
      return Math.max(0, end - position);
    },
  };
}
