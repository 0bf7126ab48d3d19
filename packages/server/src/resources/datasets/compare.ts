import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import type { BlobSegment, FileRecord } from '@modelwire/ports';
import type { ComparisonScorer, DatasetCompareParams, DatasetComparison } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import { singleChunk, writeBlob } from '../../media/files/storage.ts';
import { createSide, createTally, outcomeOf } from './comparison-totals.ts';
import { csvRow } from './csv.ts';
import type { DatasetItem } from './dataset-item.ts';
import { requestFileLimits } from './line-batches.ts';
import { Failure } from './failures.ts';
import { LineFiles } from './line-files.ts';
import type { ComparedReply } from './replies.ts';
import { caseOf, replyPairs } from './reply-pairs.ts';
import { requestLine, scorersOf } from './scorer-batches.ts';
import { openScorer } from './scorers.ts';
import type { Scores } from './scorers.ts';
import { storeFiles } from './store-files.ts';

/** How much the replies of a case differ: the order of the cases in the files. */
const differences = ['told_apart', 'different', 'equal'] as const;
type Difference = (typeof differences)[number];

interface ComparedCase {
  readonly item: DatasetItem;
  readonly baseline: ComparedReply | Failure;
  readonly candidate: ComparedReply | Failure;
  /** Undefined without results of requests. */
  readonly scores: readonly (Scores | Failure | undefined)[];
}

/** POST /datasets/compare: scores both replies to each request of the dataset. */
export async function compareDataset(
  call: Call<DatasetCompareParams>,
  server: ServerContext,
): Promise<JsonReply<DatasetComparison>> {
  const { client, principal } = call;
  await server.storageQuota.assertHasSpace(principal);
  const run = async () => compare(call, await scorersOf(call, server), server);
  const comparison = await server.datasetSemaphore.run(run, client.signal, principal.project);
  return { status: 200, body: comparison };
}

async function compare(
  call: Call<DatasetCompareParams>,
  scorers: readonly ComparisonScorer[],
  server: ServerContext,
): Promise<DatasetComparison> {
  const { body, client } = call;
  const { candidate_batch_ids, baseline_batch_ids } = body;
  const opened = await Promise.all(
    scorers.map((scorer, index) => openScorer(scorer, ['scorers', index], call, server)),
  );
  const tallies = scorers.map(() => createTally());
  const [baselineSide, candidateSide] = [createSide(server.prices), createSide(server.prices)];
  const counts = { cases: 0, told_apart: 0, different: 0, equal: 0 };
  const cases = new LineFiles<Difference>(server, client.signal);
  const rows = new LineFiles<Difference | 'header'>(server, client.signal);
  const requests = new LineFiles<number>(server, client.signal, requestFileLimits);
  const written = [cases, rows, requests];
  try {
    await rows.add('header', csvRow(columnsOf(scorers)));
    for await (const pair of replyPairs(call, server)) {
      const { item, baseline, candidate } = pair;
      const { id } = item.item;
      baselineSide.add(baseline, id);
      candidateSide.add(candidate, id);
      const scores: (Scores | Failure | undefined)[] = [];
      const compared = caseOf(pair);
      if (compared) {
        for (const [index, scorer] of opened.entries()) {
          const scored = await scorer.score(compared);
          if (scored) tallies[index]?.add(scored, id);
          scores.push(scored);
          for (const request of scorer.requests(compared)) await requests.add(index, requestLine(request));
        }
      }
      const one = { item, baseline, candidate, scores };
      const difference = differenceOf(one);
      counts.cases++;
      counts[difference]++;
      const line = JSON.stringify(caseLine(one, difference, server));
      await cases.add(difference, line);
      await rows.add(difference, csvRow(cellsOf(one, difference, scorers.length, server)));
      await yieldAfterLarge(line.length);
    }
    for (const scorer of opened) await scorer.end();

    const { name = 'comparison' } = body;
    const record = (
      extension: string,
      purpose: 'evals' | 'batch',
      mediaType: string,
      content: readonly BlobSegment[],
    ): FileRecord =>
      newFile(server, {
        filename: `${name}${extension}`,
        purpose,
        mediaType,
        content,
        expiresAfter: lifetimeOf(purpose, undefined),
      });
    const segments = (files: readonly { readonly segment: BlobSegment }[]) => files.map(({ segment }) => segment);
    const caseSegments = segments(await cases.close(differences));
    const casesFile = caseSegments.length > 0 ? [record('.jsonl', 'evals', 'application/jsonl', caseSegments)] : [];
    const csvFile = record('.csv', 'evals', 'text/csv', segments(await rows.close(['header', ...differences])));
    const requestFiles = (await requests.close(scorers.map((_, index) => index))).map(({ part, segment }) => ({
      part,
      file: record(`-requests-${part + 1}.jsonl`, 'batch', 'application/jsonl', [segment]),
    }));
    const id = server.createId('file-');
    const comparison: DatasetComparison = {
      id,
      object: 'dataset.comparison',
      name,
      created_at: nowInSeconds(server.clock),
      dataset: body.dataset,
      candidate_batch_ids,
      baseline_batch_ids: baseline_batch_ids ?? null,
      counts,
      scorers: scorers.map(({ type }, index) => ({
        type,
        ...(tallies[index] ?? createTally()).total(),
        request_file_ids: requestFiles.flatMap(({ part, file }) => (part === index ? [file.file.id] : [])),
      })),
      baseline: baselineSide.total(),
      candidate: candidateSide.total(),
      currency: server.prices.currency,
      cases_file_id: casesFile[0]?.file.id ?? null,
      csv_file_id: csvFile.file.id,
    };
    const report = new TextEncoder().encode(JSON.stringify(comparison));
    const segment = await writeBlob(server, singleChunk(report), client.signal);
    const manifest = newFile(server, {
      filename: `${name}.json`,
      purpose: 'comparison',
      mediaType: 'application/json',
      content: [segment],
      expiresAfter: undefined,
    });
    await storeFiles(call, server, [
      ...casesFile,
      csvFile,
      ...requestFiles.map(({ file }) => file),
      { ...manifest, file: { ...manifest.file, id } },
    ]);
    return comparison;
  } catch (error) {
    for (const files of written) await files.discard();
    throw error;
  }
}

function differenceOf({ baseline, candidate, scores }: ComparedCase): Difference {
  const isToldApart = scores.some((scored) => scored && !(scored instanceof Failure) && outcomeOf(scored) !== 'ties');
  if (baseline instanceof Failure || candidate instanceof Failure || isToldApart) return 'told_apart';
  return baseline.text === candidate.text ? 'equal' : 'different';
}

function caseLine(
  { item, baseline, candidate, scores }: ComparedCase,
  difference: Difference,
  server: ServerContext,
): object {
  const { id, request } = item.item;
  const sideOf = (reply: ComparedReply | Failure) =>
    reply instanceof Failure
      ? { error: reply }
      : {
          model: reply.model,
          text: reply.text,
          usage: reply.usage ?? null,
          cost: costOf(reply, server) ?? null,
          duration_ms: reply.durationMs ?? null,
        };
  return {
    id,
    difference,
    messages: request.messages,
    baseline: sideOf(baseline),
    candidate: sideOf(candidate),
    scores: scores.map((scored) => (scored instanceof Failure ? { error: scored } : (scored ?? null))),
  };
}

function columnsOf(scorers: readonly ComparisonScorer[]): readonly string[] {
  const sides = ['baseline', 'candidate'];
  const ofScorers = scorers.flatMap(({ type }, index) => sides.map((side) => `${index + 1}_${type}_${side}`));
  const ofReplies = sides.flatMap((side) =>
    ['model', 'tokens', 'cost', 'duration_ms'].map((name) => `${side}_${name}`),
  );
  return ['id', 'difference', ...sides, ...ofScorers, ...ofReplies, 'errors'];
}

function cellsOf(
  { item, baseline, candidate, scores }: ComparedCase,
  difference: Difference,
  scorerCount: number,
  server: ServerContext,
): readonly (string | number | undefined)[] {
  const sides = [baseline, candidate];
  const scoreCells = Array.from({ length: scorerCount }, (_, index) => {
    const scored = scores[index];
    return scored && !(scored instanceof Failure) ? [scored.baseline, scored.candidate] : [undefined, undefined];
  });
  return [
    item.item.id,
    difference,
    ...sides.map((reply) => (reply instanceof Failure ? undefined : reply.text)),
    ...scoreCells.flat(),
    ...sides.flatMap((reply) =>
      reply instanceof Failure
        ? [undefined, undefined, undefined, undefined]
        : [reply.model, reply.usage?.total_tokens, costOf(reply, server), reply.durationMs],
    ),
    [...sides, ...scores].flatMap((one) => (one instanceof Failure ? [one.message] : [])).join(' '),
  ];
}

function costOf({ model, usage }: ComparedReply, { prices }: ServerContext): number | undefined {
  const micros = prices.costOf(model, usage);
  return micros === undefined ? undefined : micros / 1e6;
}
