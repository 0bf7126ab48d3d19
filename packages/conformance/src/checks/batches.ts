import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { listAt, numberAt, textAt, valueAt } from '../exchange/value.ts';
import { batchBody, batchLines, hasEnded, newBatch, newFile, sharedBatch, pollUntil } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { createThree, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';
import { assertErrorShape, successfulSample } from './shape.ts';
import { parseJson } from '../exchange/parse-json.ts';
import { assertConforms, Skip } from '../verdict.ts';

const needs = ['files.create', 'batches.create'] as const;
const reading = [...needs, 'batches.retrieve'] as const;

const batch = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(endpoint, name, { section: 'companion', certainty: 'likely', ...init });

const batchStatus = ({ json }: Answer): string => textAt(json, 'status') ?? '';

/** The shared batch of two lines after it has ended. */
async function endedBatch(world: World): Promise<Answer> {
  const id = await sharedBatch(world);
  return pollUntil(world, `/batches/${id}`, (answer) => hasEnded(batchStatus(answer)));
}

async function fileLines(world: World, id: string | undefined): Promise<readonly unknown[]> {
  if (id === undefined) throw new Skip('the batch does not have this file');
  const { text } = await world.send({ method: 'GET', path: `/files/${id}/content` });
  return text.split('\n').filter((line) => line !== '').map(parseJson); // prettier-ignore
}

const CANCELLED = ['cancelling', 'cancelled'];

/** A batch that was running when it was cancelled, and the response to the cancellation. */
const cancelSample = (world: World): Promise<Answer> => successfulSample(world, 'batches.cancel');

const rejects = (name: string, title: string, field: string, changes: object, statuses: readonly number[] = []) =>
  rejectionChecks('batches.create', `refuses.${name}`, {
    title,
    section: field === 'metadata' ? 'Limits' : 'companion',
    certainty: field === 'metadata' ? 'sure' : 'likely',
    field,
    statuses,
    needs: ['files.create'],
    call: async (world) => {
      const input = await newFile(world, await batchLines(world, 1), 'batch', 'one.jsonl');
      return { method: 'POST', path: '/batches', body: { ...batchBody(input), ...changes } };
    },
  });

/** Batches: create, run and cancel. */
export const batchChecks: readonly Check[] = [
  batch('batches.create', 'object', {
    title: 'A new batch has the requested values and has not ended',
    section: 'Batch object',
    weight: 3,
    async run(world) {
      const answer = await successfulSample(world, 'batches.create');
      assertConforms(answer, textAt(answer.json, 'object') === 'batch', "Its object is not 'batch'.");
      assertConforms(answer, textAt(answer.json, 'endpoint') === '/v1/chat/completions', 'Its endpoint differs.');
      assertConforms(answer, textAt(answer.json, 'completion_window') === '24h', 'Its completion_window differs.');
      assertConforms(
        answer,
        ['validating', 'in_progress'].includes(batchStatus(answer)),
        `Its status is ${batchStatus(answer)}.`,
      );
      for (const event of ['completed_at', 'failed_at', 'cancelling_at', 'cancelled_at']) {
        assertConforms(answer, (valueAt(answer.json, event) ?? null) === null, `${event} is set.`);
      }
    },
  }),
  ...rejects('file', 'Rejects an unknown input file', 'input_file_id', { input_file_id: 'file-none' }, [404]),
  ...rejects('endpoint', 'Rejects an unknown endpoint', 'endpoint', { endpoint: '/v1/nothing' }),
  ...rejects('window', 'Rejects a completion_window other than 24h', 'completion_window', {
    completion_window: '1h',
  }),
  ...rejects('metadata', 'Rejects a metadata value of 513 characters', 'metadata', { metadata: { k: 'v'.repeat(513) } }), // prettier-ignore
  batch('batches.retrieve', 'metadata', {
    title: 'A batch has its metadata',
    section: 'Batch object',
    weight: 1,
    needs,
    async run(world) {
      const answer = await world.send({ method: 'GET', path: `/batches/${await sharedBatch(world)}` });
      assertConforms(answer, textAt(answer.json, 'metadata', 'conformance') === world.runId, 'Its metadata differs.');
    },
  }),
  batch('batches.retrieve', 'completes', {
    title: 'A batch completes and counts its requests',
    section: 'Batch object',
    weight: 3,
    needs,
    job: true,
    async run(world) {
      const answer = await endedBatch(world);
      assertConforms(answer, batchStatus(answer) === 'completed', `Its status is ${batchStatus(answer)}.`);
      const counts = ['total', 'completed', 'failed'].map((field) => numberAt(answer.json, 'request_counts', field));
      assertConforms(answer, counts.join() === '2,2,0', `request_counts are ${counts.join(', ')} instead of 2, 2, 0.`);
      assertConforms(answer, numberAt(answer.json, 'completed_at') !== undefined, 'completed_at is not set.');
    },
  }),
  batch('batches.retrieve', 'output', {
    title: 'The output has each line once, by its custom_id, with the response of the endpoint',
    weight: 3,
    needs: [...needs, 'files.content'],
    job: true,
    async run(world) {
      const answer = await endedBatch(world);
      const lines = await fileLines(world, textAt(answer.json, 'output_file_id'));
      const ids = lines.map((line) => textAt(line, 'custom_id')).toSorted();
      assertConforms(answer, ids.join() === 'line-0,line-1', `The lines are of ${ids.join(', ').slice(0, 100)}.`);
      for (const line of lines) {
        assertConforms(
          answer,
          numberAt(line, 'response', 'status_code') === 200,
          'A line has no response of status_code 200.',
        );
        const content = textAt(line, 'response', 'body', 'choices', 0, 'message', 'content');
        assertConforms(answer, content !== undefined && content !== '', 'The body of a line is not a chat completion.');
      }
      const bodies = new Set(lines.map((line) => textAt(line, 'response', 'body', 'id')));
      assertConforms(answer, bodies.size === 2, 'Two lines have the same completion.');
    },
  }),
  batch('batches.retrieve', 'failing-line', {
    title: 'A rejected line is written to the error file, and the others complete',
    weight: 3,
    needs: [...needs, 'files.content'],
    job: true,
    async run(world) {
      const invalidLine = { custom_id: 'wrong', method: 'POST', url: '/v1/chat/completions', body: { model: await world.chatModel(), messages: [] } }; // prettier-ignore
      const id = await newBatch(world, `${await batchLines(world, 1)}${JSON.stringify(invalidLine)}\n`);
      const answer = await pollUntil(world, `/batches/${id}`, (one) => hasEnded(batchStatus(one)));
      assertConforms(answer, batchStatus(answer) === 'completed', `Its status is ${batchStatus(answer)}.`);
      assertConforms(
        answer,
        numberAt(answer.json, 'request_counts', 'failed') === 1,
        'request_counts.failed is not 1.',
      );
      const errors = textAt(answer.json, 'error_file_id');
      assertConforms(answer, errors !== undefined, 'There is no error_file_id.');
      const [line] = await fileLines(world, errors);
      assertConforms(answer, textAt(line, 'custom_id') === 'wrong', 'The error file does not contain the line.');
    },
  }),
  batch('batches.retrieve', 'invalid-input', {
    title: 'A batch whose input is not JSON fails and names the line',
    weight: 2,
    needs: reading,
    job: true,
    async run(world) {
      const input = await newFile(world, 'this line is not JSON\n', 'batch', 'broken.jsonl');
      const created = await world.send({ method: 'POST', path: '/batches', body: batchBody(input) });
      if (created.status === 400) {
        assertErrorShape(created);
        return;
      }
      const answer = await pollUntil(world, `/batches/${textAt(created.json, 'id') ?? ''}`, (one) =>
        hasEnded(batchStatus(one)),
      );
      assertConforms(answer, batchStatus(answer) === 'failed', `Its status is ${batchStatus(answer)}.`);
      assertConforms(
        answer,
        numberAt(answer.json, 'errors', 'data', 0, 'line') === 1,
        'errors.data does not name the line.',
      );
    },
  }),
  ...pagingChecks({
    endpoint: 'batches.list',
    needs,
    createItems: createThree('batches', async (world) => newBatch(world, await batchLines(world, 1))),
    hasOrder: false,
    defaultOrder: 'desc',
  }),
  batch('batches.cancel', 'cancelling', {
    title: 'Cancelling a batch returns it with status cancelling and cancelling_at',
    section: 'States and transitions',
    certainty: 'sure',
    weight: 3,
    needs,
    async run(world) {
      const answer = await cancelSample(world);
      assertConforms(answer, CANCELLED.includes(batchStatus(answer)), `Its status is ${batchStatus(answer)}.`);
      assertConforms(answer, numberAt(answer.json, 'cancelling_at') !== undefined, 'cancelling_at is not set.');
    },
  }),
  batch('batches.cancel', 'ends', {
    title: 'A cancelling batch becomes cancelled, with the completed lines in its output',
    section: 'States and transitions',
    certainty: 'sure',
    weight: 3,
    needs: reading,
    job: true,
    async run(world) {
      const created = await cancelSample(world);
      const answer = await pollUntil(world, `/batches/${textAt(created.json, 'id') ?? ''}`, (one) =>
        hasEnded(batchStatus(one)),
      );
      assertConforms(answer, batchStatus(answer) === 'cancelled', `Its status is ${batchStatus(answer)}.`);
      assertConforms(answer, numberAt(answer.json, 'cancelled_at') !== undefined, 'cancelled_at is not set.');
      const completed = numberAt(answer.json, 'request_counts', 'completed') ?? 0;
      const output = textAt(answer.json, 'output_file_id');
      assertConforms(
        answer,
        completed === 0 || output !== undefined,
        `${completed} lines completed, but there is no output file.`,
      );
    },
  }),
  batch('batches.cancel', 'ended', {
    title: 'An ended batch cannot be cancelled',
    section: 'Cancel batch',
    weight: 2,
    needs: reading,
    job: true,
    async run(world) {
      const endedResponse = await endedBatch(world);
      if (!hasEnded(batchStatus(endedResponse))) throw new Skip('the batch does not end');
      const answer = await world.send({
        method: 'POST',
        path: `/batches/${textAt(endedResponse.json, 'id') ?? ''}/cancel`,
      });
      if (isSuccess(answer)) {
        assertConforms(
          answer,
          batchStatus(answer) === batchStatus(endedResponse),
          `Its status is ${batchStatus(answer)} now.`,
        );
        return;
      }
      assertConforms(
        answer,
        answer.status === 400 || answer.status === 409,
        `The response has status ${answer.status}.`,
      );
      assertErrorShape(answer);
    },
  }),
  batch('batches.list', 'own', {
    title: 'A new batch is listed',
    needs,
    async run(world) {
      const id = await sharedBatch(world);
      const answer = await world.send({ method: 'GET', path: '/batches', query: [['limit', '100']] });
      assertConforms(
        answer,
        listAt(answer.json, 'data').some((item) => textAt(item, 'id') === id),
        'It is not listed.',
      );
    },
  }),
];
