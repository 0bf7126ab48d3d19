import type { ComparisonScorer, DatasetCompareParams } from '@modelwire/schema/types';
import { scorerKey } from '../../batches/started-batches.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { endedBatches } from './line-batches.ts';
import type { LineFiles } from './line-files.ts';
import { caseOf, replyPairs } from './reply-pairs.ts';
import { requestsOf } from './scorers.ts';
import type { ModelScorer, ScorerRequest } from './scorers.ts';

export function requestLine({ custom_id, url, body }: ScorerRequest): string {
  return JSON.stringify({ custom_id, method: 'POST', url, body });
}

/**
 * The scorers of a comparison. In a batch, those that need the results of requests have them: the line starts batches of these requests, and
 * waits for them. @throws LineWaiting while they run.
 */
export async function scorersOf(
  call: Call<DatasetCompareParams>,
  server: ServerContext,
): Promise<readonly ComparisonScorer[]> {
  const { scorers = [{ type: 'exact' }], name = 'comparison' } = call.body;
  const { batchLine } = call;
  if (!batchLine || !scorers.some(lacksResults)) return scorers;
  const requests = {
    parts: [...scorers.keys()],
    write: async (files: Pick<LineFiles<number>, 'add'>) => {
      for await (const pair of replyPairs(call, server)) {
        const compared = caseOf(pair);
        if (!compared) continue;
        for (const [index, scorer] of scorers.entries())
          for (const request of lacksResults(scorer) ? requestsOf(scorer, compared) : [])
            await files.add(index, requestLine(request));
      }
    },
    describe: (part: number) => {
      const type = scorers[part]?.type;
      return {
        filename: `${name}-requests-${part + 1}.jsonl`,
        endpoint: type === 'embedding' ? ('/v1/embeddings' as const) : ('/v1/chat/completions' as const),
        metadata: { name: `${name}: ${type}`, [scorerKey]: String(part) },
      };
    },
  };
  const batches = await endedBatches(call, batchLine, requests, server);
  const idsOf = (index: number) =>
    batches.filter(({ metadata }) => metadata?.[scorerKey] === String(index)).map(({ id }) => id);
  return scorers.map((scorer, index) => (lacksResults(scorer) ? { ...scorer, batch_ids: idsOf(index) } : scorer));
}

function lacksResults(scorer: ComparisonScorer): scorer is ModelScorer {
  return (scorer.type === 'judge' || scorer.type === 'embedding') && !scorer.batch_ids;
}
