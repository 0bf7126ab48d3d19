import type { DatasetCompareParams } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { projectStores } from '../../media/files/storage.ts';
import { openResults } from './batch-results.ts';
import type { DatasetItem } from './dataset-item.ts';
import { Failure } from './failures.ts';
import { findDataset, itemsOf } from './read-dataset.ts';
import { recordedReply, resultReply } from './replies.ts';
import type { ComparedReply } from './replies.ts';
import type { Case } from './scorers.ts';

/** An item of a dataset with both replies to its request, as far as there are any. */
export interface ReplyPair {
  readonly item: DatasetItem;
  /** The reply of the dataset. */
  readonly recorded: ComparedReply;
  readonly baseline: ComparedReply | Failure;
  readonly candidate: ComparedReply | Failure;
}

/** Reads the dataset and the results side by side, an item at a time. @throws a 404 or a 400 for what cannot be compared. */
export async function* replyPairs(
  call: Pick<Call<DatasetCompareParams>, 'body' | 'client' | 'principal'>,
  server: ServerContext,
): AsyncGenerator<ReplyPair> {
  const { candidate_batch_ids, baseline_batch_ids, dataset: id } = call.body;
  const { completions } = projectStores(call, server);
  const dataset = await findDataset(id, call, server);
  const ofCandidate = await openResults(
    candidate_batch_ids,
    { param: 'candidate_batch_ids', dataset: id },
    call,
    server,
  );
  const ofBaseline =
    baseline_batch_ids &&
    (await openResults(baseline_batch_ids, { param: 'baseline_batch_ids', dataset: id }, call, server));
  for await (const item of itemsOf(dataset, call, server)) {
    call.client.signal.throwIfAborted();
    const recorded = recordedReply(item);
    const baseline = ofBaseline ? await resultReply(await ofBaseline.take(item.item.id), completions) : recorded;
    const candidate = await resultReply(await ofCandidate.take(item.item.id), completions);
    yield { item, recorded, baseline, candidate };
  }
  await ofCandidate.end();
  await ofBaseline?.end();
}

/** What scorers compare; undefined without both replies. */
export function caseOf({ item, recorded, baseline, candidate }: ReplyPair): Case | undefined {
  if (baseline instanceof Failure || candidate instanceof Failure) return undefined;
  return { item, reference: recorded.text, baseline: baseline.text, candidate: candidate.text };
}
