import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { listAt, numberAt, textAt, valueAt } from '../exchange/value.ts';
import {
  batchBody,
  batchLines,
  hasEnded,
  newBatch,
  newFile,
  sharedBatch,
  pollUntil,
} from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { createThree, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';
import { assertErrorShape, successfulSample } from './shape.ts';
import { parseJson } from '../exchange/parse-json.ts';
import { assertConforms, assertFields, assertStatus, Skip } from '../verdict.ts';

const needs = ['files.create', 'batches.create'] as const;
const reading = [...needs, 'batches.retrieve'] as const;

const batch = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(endpoint, name, { section: 'companion', certainty: 'likely', ...init });

const batchStatus = ({ json }: CompleteResponse): string => textAt(json, 'status') ?? '';

/** The shared batch of two lines after it has ended. */
async function endedBatch(context: RunContext): Promise<CompleteResponse> {
  const id = await sharedBatch(context);
  return pollUntil(context, `/batches/${id}`, (response) => hasEnded(batchStatus(response)));
}

async function fileLines(context: RunContext, id: string | undefined): Promise<readonly unknown[]> {
  if (id === undefined) throw new Skip('the batch does not have this file');
  const { text } = await context.send({ method: 'GET', path: `/files/${id}/content` });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson);
}

const CANCELLED = ['cancelling', 'cancelled'];

/** A batch that was running when it was cancelled, and the response to the cancellation. */
const cancelSample = (context: RunContext): Promise<CompleteResponse> => successfulSample(context, 'batches.cancel');

const rejects = (name: string, title: string, field: string, changes: object, statuses: readonly number[] = []) =>
  rejectionChecks('batches.create', `refuses.${name}`, {
    title,
    section: field === 'metadata' ? 'Limits' : 'companion',
    certainty: field === 'metadata' ? 'sure' : 'likely',
    field,
    statuses,
    needs: ['files.create'],
    call: async (context) => {
      const input = await newFile(context, await batchLines(context, 1), 'batch', 'one.jsonl');
      return { method: 'POST', path: '/batches', body: { ...batchBody(input), ...changes } };
    },
  });

/** Batches: create, run and cancel. */
export const batchChecks: readonly Check[] = [
  batch('batches.create', 'object', {
    title: 'A new batch has the requested values and has not ended',
    section: 'Batch object',
    weight: 3,
    async run(context) {
      const response = await successfulSample(context, 'batches.create');
      assertFields(response, { object: 'batch', endpoint: '/v1/chat/completions', completion_window: '24h' });
      assertConforms(
        response,
        ['validating', 'in_progress'].includes(batchStatus(response)),
        `Its status is ${batchStatus(response)}.`,
      );
      for (const event of ['completed_at', 'failed_at', 'cancelling_at', 'cancelled_at']) {
        assertConforms(response, (valueAt(response.json, event) ?? null) === null, `${event} is set.`);
      }
    },
  }),
  ...rejects('file', 'Rejects an unknown input file', 'input_file_id', { input_file_id: 'file-none' }, [404]),
  ...rejects('endpoint', 'Rejects an unknown endpoint', 'endpoint', { endpoint: '/v1/nothing' }),
  ...rejects('window', 'Rejects a completion_window that is no duration', 'completion_window', {
    completion_window: '25x',
  }),
  ...rejects('metadata', 'Rejects a metadata value of 513 characters', 'metadata', {
    metadata: { k: 'v'.repeat(513) },
  }),
  batch('batches.retrieve', 'metadata', {
    title: 'A batch has its metadata',
    section: 'Batch object',
    weight: 1,
    needs,
    async run(context) {
      const response = await context.send({ method: 'GET', path: `/batches/${await sharedBatch(context)}` });
      assertConforms(
        response,
        textAt(response.json, 'metadata', 'conformance') === context.runId,
        'Its metadata differs.',
      );
    },
  }),
  batch('batches.retrieve', 'completes', {
    title: 'A batch completes and counts its requests',
    section: 'Batch object',
    weight: 3,
    needs,
    phase: 'jobs',
    async run(context) {
      const response = await endedBatch(context);
      assertConforms(response, batchStatus(response) === 'completed', `Its status is ${batchStatus(response)}.`);
      const counts = ['total', 'completed', 'failed'].map((field) => numberAt(response.json, 'request_counts', field));
      assertConforms(
        response,
        counts.join() === '2,2,0',
        `request_counts are ${counts.join(', ')} instead of 2, 2, 0.`,
      );
      assertConforms(response, numberAt(response.json, 'completed_at') !== undefined, 'completed_at is not set.');
    },
  }),
  batch('batches.retrieve', 'output', {
    title: 'The output has each line once, by its custom_id, with the response of the endpoint',
    weight: 3,
    needs: [...needs, 'files.content'],
    phase: 'jobs',
    async run(context) {
      const response = await endedBatch(context);
      const lines = await fileLines(context, textAt(response.json, 'output_file_id'));
      const ids = lines.map((line) => textAt(line, 'custom_id')).toSorted();
      assertConforms(response, ids.join() === 'line-0,line-1', `The lines are of ${ids.join(', ').slice(0, 100)}.`);
      for (const line of lines) {
        assertConforms(
          response,
          numberAt(line, 'response', 'status_code') === 200,
          'A line has no response of status_code 200.',
        );
        const content = textAt(line, 'response', 'body', 'choices', 0, 'message', 'content');
        assertConforms(
          response,
          content !== undefined && content !== '',
          'The body of a line is not a chat completion.',
        );
      }
      const bodies = new Set(lines.map((line) => textAt(line, 'response', 'body', 'id')));
      assertConforms(response, bodies.size === 2, 'Two lines have the same completion.');
    },
  }),
  batch('batches.retrieve', 'failing-line', {
    title: 'A rejected line is written to the error file, and the others complete',
    weight: 3,
    needs: [...needs, 'files.content'],
    phase: 'jobs',
    async run(context) {
      const invalidLine = {
        custom_id: 'wrong',
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: await context.chatModel(), messages: [] },
      };
      const id = await newBatch(context, `${await batchLines(context, 1)}${JSON.stringify(invalidLine)}\n`);
      const response = await pollUntil(context, `/batches/${id}`, (one) => hasEnded(batchStatus(one)));
      assertConforms(response, batchStatus(response) === 'completed', `Its status is ${batchStatus(response)}.`);
      assertConforms(
        response,
        numberAt(response.json, 'request_counts', 'failed') === 1,
        'request_counts.failed is not 1.',
      );
      const errors = textAt(response.json, 'error_file_id');
      assertConforms(response, errors !== undefined, 'There is no error_file_id.');
      const [line] = await fileLines(context, errors);
      assertConforms(response, textAt(line, 'custom_id') === 'wrong', 'The error file does not contain the line.');
    },
  }),
  batch('batches.retrieve', 'invalid-input', {
    title: 'A batch whose input is not JSON fails and names the line',
    weight: 2,
    needs: reading,
    phase: 'jobs',
    async run(context) {
      const input = await newFile(context, 'this line is not JSON\n', 'batch', 'broken.jsonl');
      const created = await context.send({ method: 'POST', path: '/batches', body: batchBody(input) });
      if (created.status === 400) {
        assertErrorShape(created);
        return;
      }
      const response = await pollUntil(context, `/batches/${textAt(created.json, 'id') ?? ''}`, (one) =>
        hasEnded(batchStatus(one)),
      );
      assertConforms(response, batchStatus(response) === 'failed', `Its status is ${batchStatus(response)}.`);
      assertConforms(
        response,
        numberAt(response.json, 'errors', 'data', 0, 'line') === 1,
        'errors.data does not name the line.',
      );
    },
  }),
  ...pagingChecks({
    endpoint: 'batches.list',
    needs,
    createItems: createThree('batches', async (context) => newBatch(context, await batchLines(context, 1))),
    hasOrder: false,
    defaultOrder: 'desc',
  }),
  batch('batches.cancel', 'cancelling', {
    title: 'Cancelling a batch returns it with status cancelling and cancelling_at',
    section: 'States and transitions',
    certainty: 'sure',
    weight: 3,
    needs,
    async run(context) {
      const response = await cancelSample(context);
      assertConforms(response, CANCELLED.includes(batchStatus(response)), `Its status is ${batchStatus(response)}.`);
      assertConforms(response, numberAt(response.json, 'cancelling_at') !== undefined, 'cancelling_at is not set.');
    },
  }),
  batch('batches.cancel', 'ends', {
    title: 'A cancelling batch becomes cancelled, with the completed lines in its output',
    section: 'States and transitions',
    certainty: 'sure',
    weight: 3,
    needs: reading,
    phase: 'jobs',
    async run(context) {
      const created = await cancelSample(context);
      const response = await pollUntil(context, `/batches/${textAt(created.json, 'id') ?? ''}`, (one) =>
        hasEnded(batchStatus(one)),
      );
      assertConforms(response, batchStatus(response) === 'cancelled', `Its status is ${batchStatus(response)}.`);
      assertConforms(response, numberAt(response.json, 'cancelled_at') !== undefined, 'cancelled_at is not set.');
      const completed = numberAt(response.json, 'request_counts', 'completed') ?? 0;
      const output = textAt(response.json, 'output_file_id');
      assertConforms(
        response,
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
    phase: 'jobs',
    async run(context) {
      const endedResponse = await endedBatch(context);
      if (!hasEnded(batchStatus(endedResponse))) throw new Skip('the batch does not end');
      const response = await context.send({
        method: 'POST',
        path: `/batches/${textAt(endedResponse.json, 'id') ?? ''}/cancel`,
      });
      if (isSuccess(response)) {
        assertConforms(
          response,
          batchStatus(response) === batchStatus(endedResponse),
          `Its status is ${batchStatus(response)} now.`,
        );
        return;
      }
      assertStatus(response, 400, 409);
      assertErrorShape(response);
    },
  }),
  batch('batches.list', 'own', {
    title: 'A new batch is listed',
    needs,
    async run(context) {
      const id = await sharedBatch(context);
      const response = await context.send({ method: 'GET', path: '/batches', query: [['limit', '100']] });
      assertConforms(
        response,
        listAt(response.json, 'data').some((item) => textAt(item, 'id') === id),
        'It is not listed.',
      );
    },
  }),
];
