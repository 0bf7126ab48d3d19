import { isRecord } from '@modelwire/adapter-kit';
import type { BatchOutputLine, ComparisonScorer } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { compileTextShape } from '../../structured-output/output-grammars.ts';
import { openResults } from './batch-results.ts';
import type { BatchResults } from './batch-results.ts';
import type { DatasetItem } from './dataset-item.ts';
import { Failure } from './failures.ts';
import { judgeRequest, pairwiseScore, rubricScore } from './judge.ts';
import type { Judge } from './judge.ts';

/** Two replies to the request of an item. */
export interface Case {
  readonly item: DatasetItem;
  /** The reply of the dataset. */
  readonly reference: string;
  readonly baseline: string;
  readonly candidate: string;
}

/** Scores from 0 to 1. */
export interface Scores {
  readonly baseline: number;
  readonly candidate: number;
}

/** A request of a batch whose result a scorer needs. */
export interface ScorerRequest {
  readonly custom_id: string;
  readonly url: '/v1/chat/completions' | '/v1/embeddings';
  readonly body: object;
}

export interface Scorer {
  /** Undefined if it was not given the results that it needs. Called for each case in the order of the dataset. */
  score(compared: Case): Promise<Scores | Failure | undefined>;
  /** The requests whose results it needs and was not given. */
  requests(compared: Case): readonly ScorerRequest[];
  /** @throws a 400 if it was given results of other requests. */
  end(): Promise<void>;
}

export async function openScorer(
  scorer: ComparisonScorer,
  path: readonly (string | number)[],
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<Scorer> {
  switch (scorer.type) {
    case 'exact':
      return textScorer((text, reference) => text === reference);
    case 'normalized':
      return textScorer((text, reference) => normalize(text) === normalize(reference));
    case 'json_schema':
    case 'regex': {
      const source =
        scorer.type === 'regex'
          ? ({ type: 'regex', definition: scorer.pattern } as const)
          : ({ type: 'json_schema', schema: scorer.schema, strict: false, orObject: false } as const);
      const field = scorer.type === 'regex' ? 'pattern' : 'schema';
      const problemOf = await compileTextShape({ source, path: [...path, field], of: `a scorer` }, server.grammars);
      return textScorer((text) => problemOf(text) === undefined);
    }
    default: {
      const param = `${path.join('.')}.batch_ids`;
      const results =
        scorer.batch_ids && (await openResults(scorer.batch_ids, { param, dataset: undefined }, call, server));
      return resultScorer(scorer, results);
    }
  }
}

function textScorer(isRight: (text: string, reference: string) => boolean): Scorer {
  const scoreOf = (text: string, reference: string): number => (isRight(text, reference) ? 1 : 0);
  return {
    score: ({ reference, baseline, candidate }) =>
      Promise.resolve({ baseline: scoreOf(baseline, reference), candidate: scoreOf(candidate, reference) }),
    requests: () => [],
    end: () => Promise.resolve(),
  };
}

/** Without case, punctuation and repeated whitespace. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim();
}

export type ModelScorer = Extract<ComparisonScorer, { type: 'judge' | 'embedding' }>;

/** A scorer by the results of requests, which are those of `requestsOf` for each case. */
function resultScorer(scorer: ModelScorer, results: BatchResults | undefined): Scorer {
  return {
    async score(compared) {
      if (!results) return undefined;
      const taken: BatchOutputLine[] = [];
      let failed: Failure | undefined;
      for (const { custom_id } of requestsOf(scorer, compared)) {
        const result = await results.take(custom_id);
        if (result instanceof Failure) failed ??= result;
        else taken.push(result);
      }
      return failed ?? scoresOf(scorer, taken);
    },
    requests: (compared) => (results ? [] : requestsOf(scorer, compared)),
    end: () => results?.end() ?? Promise.resolve(),
  };
}

export function requestsOf(
  scorer: ModelScorer,
  { item, reference, baseline, candidate }: Case,
): readonly ScorerRequest[] {
  const { id } = item.item;
  if (scorer.type === 'embedding') {
    const inputs = { reference, baseline, candidate };
    return Object.entries(inputs).map(([name, input]) => ({
      custom_id: `${id}:${name}`,
      url: '/v1/embeddings',
      body: { model: scorer.model, input },
    }));
  }
  const asked = (name: string, replies: Readonly<Record<string, string>>): ScorerRequest => ({
    custom_id: `${id}:${name}`,
    url: '/v1/chat/completions',
    body: judgeRequest(scorer, item, replies),
  });
  if (isRubric(scorer)) return [asked('baseline', { reply: baseline }), asked('candidate', { reply: candidate })];
  return [
    asked('baseline-first', { reply_a: baseline, reply_b: candidate }),
    asked('candidate-first', { reply_a: candidate, reply_b: baseline }),
  ];
}

function scoresOf(scorer: ModelScorer, results: readonly BatchOutputLine[]): Scores | Failure {
  if (scorer.type === 'embedding') {
    const [reference, ...replies] = results.map(embeddingOf);
    const [baseline, candidate] = replies.map((reply) => similarity(reference, reply));
    return bothOf(baseline ?? noSimilarity, candidate ?? noSimilarity);
  }
  const [first, second] = results.map(isRubric(scorer) ? rubricScore : pairwiseScore);
  const scores = bothOf(first ?? noResult, second ?? noResult);
  if (isRubric(scorer)) return scores;
  if (scores instanceof Failure) return scores;
  // A judge that prefers what comes first, whatever it is, has decided nothing.
  const candidate = (1 - scores.baseline + scores.candidate) / 2;
  return { baseline: 1 - candidate, candidate };
}

const noSimilarity = new Failure('The results of the embedding model are no vectors that can be compared.');
const noResult = new Failure('The batch has no result for the request.');

const isRubric = ({ mode }: Judge): boolean => mode === 'rubric';

/** The scores by the results of two requests, or the first failure. */
function bothOf(baseline: number | Failure, candidate: number | Failure): Scores | Failure {
  if (typeof baseline !== 'number') return baseline;
  return typeof candidate === 'number' ? { baseline, candidate } : candidate;
}

function embeddingOf(result: BatchOutputLine): readonly number[] | undefined {
  const data: unknown = result.response?.body['data'];
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  const embedding: unknown = isRecord(first) ? first['embedding'] : undefined;
  const isVector = Array.isArray(embedding) && embedding.every((value) => typeof value === 'number');
  return isVector ? embedding : undefined;
}

/** Cosine similarity, rounded so that equal texts are equal. Negative ones count as 0. */
function similarity(a: readonly number[] | undefined, b: readonly number[] | undefined): number | undefined {
  if (!a || a.length !== b?.length) return undefined;
  const product = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  const cosine = product(a, b) / Math.sqrt(product(a, a) * product(b, b));
  return Number.isFinite(cosine) ? Math.round(Math.max(0, Math.min(1, cosine)) * 1e6) / 1e6 : undefined;
}
