import { isRecord } from '@modelwire/adapter-kit';
import type { BatchOutputLine, ComparisonError } from '@modelwire/schema/types';

const maxMessageLength = 500;

/** Why a case has no reply, or no score. */
export class Failure {
  readonly code: string | null;
  readonly message: string;

  constructor(message: string, code: string | null = null) {
    this.code = code;
    this.message = message.slice(0, maxMessageLength);
  }
}

/** Undefined for a result with a response. */
export function failureOf({ response, error }: Pick<BatchOutputLine, 'response' | 'error'>): Failure | undefined {
  const ofResponse: unknown = response && response.status_code >= 400 ? response.body['error'] : undefined;
  const found: unknown = error ?? ofResponse;
  if (!isRecord(found)) return undefined;
  const { code, message } = found;
  return new Failure(
    typeof message === 'string' ? message : 'The request failed.',
    typeof code === 'string' ? code : null,
  );
}

/** Different failures that are told apart: messages can have numbers of their own. The rest are counted together. */
const maxDistinct = 100;
const maxListed = 10;
const maxCases = 10;

/** Counts failures by what they say. */
export function createFailureTally() {
  let all = 0;
  const byText = new Map<string, { readonly failed: Failure; cases: number; readonly ids: string[] }>();
  return {
    add(failed: Failure, caseId: string): void {
      all++;
      const text = JSON.stringify([failed.code, failed.message]);
      const known = byText.get(text) ?? { failed, cases: 0, ids: [] };
      if (known.cases === 0 && byText.size === maxDistinct) return;
      byText.set(text, known);
      known.cases++;
      if (known.ids.length < maxCases) known.ids.push(caseId);
    },
    /** The most frequent first. */
    total(): ComparisonError[] {
      const listed = [...byText.values()].sort((a, b) => b.cases - a.cases).slice(0, maxListed);
      const others = listed.reduce((rest, { cases }) => rest - cases, all);
      return [
        ...listed.map(({ failed: { code, message }, cases, ids }) => ({ code, message, cases, case_ids: ids })),
        ...(others > 0 ? [{ code: null, message: 'Other errors.', cases: others, case_ids: [] }] : []),
      ];
    },
  };
}
