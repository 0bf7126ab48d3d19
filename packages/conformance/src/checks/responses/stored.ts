import { check } from '../../check.ts';
import type { Check, CheckInit, SubjectId } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import {
  assertClientError,
  assertConforms,
  assertFields,
  assertStatus,
  assertSuccess,
  Skip,
  successful,
} from '../../verdict.ts';
import { createdId, newResponse, sharedResponse, conversationTurns, pollUntil } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { listedIds, pagingChecks } from '../paging.ts';
import { sendResponseRequest, forcedToolRequest, outputItems, outputText } from './send.ts';

const CREATE = 'responses.create';
const RETRIEVE = 'responses.retrieve';
const DELETE = 'responses.delete';
const CANCEL = 'responses.cancel';
const ITEMS = 'responses.input_items.list';
const needs = ['responses.create'] as const;

const read = (
  context: RunContext,
  id: string,
  query: readonly (readonly [string, string])[] = [],
): Promise<CompleteResponse> => context.send({ method: 'GET', path: `/responses/${id}`, query });

const post = (context: RunContext, path: string): Promise<CompleteResponse> => context.send({ method: 'POST', path });

const stored = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section' | 'needs'>): Check =>
  check(endpoint, name, { certainty: 'likely', ...init, section: 'companion', needs });

/** A response of which the rest of a check is about. */
async function createResponse(context: RunContext, fields: object): Promise<CompleteResponse> {
  const response = await sendResponseRequest(context, { store: true, ...fields });
  createdId(response, 'a stored response');
  return response;
}

async function continueResponse(context: RunContext, fields: object): Promise<CompleteResponse> {
  const response = await sendResponseRequest(context, { store: true, ...fields });
  assertConforms(response, isSuccess(response), `The response that continues it has status ${response.status}.`);
  return response;
}

const createInBackground = (context: RunContext, input = 'Say hello.'): Promise<string> =>
  newResponse(context, { background: true, input });

const hasEnded = ({ json }: CompleteResponse): boolean =>
  ['completed', 'incomplete', 'failed', 'cancelled'].includes(textAt(json, 'status') ?? '');

/** Stored responses: retrieved, continued, listed, deleted, and generated in the background. */
export const storedResponseChecks: readonly Check[] = [
  stored(RETRIEVE, 'same', {
    title: 'A retrieved response equals the created one',
    weight: 3,
    async run(context) {
      const created = await createResponse(context, { metadata: { conformance: context.runId } });
      const retrieved = await read(context, createdId(created, 'a stored response'));
      assertSuccess(retrieved);
      for (const field of ['id', 'created_at', 'status', 'model', 'output', 'metadata', 'usage']) {
        const [a, b] = [created, retrieved].map(({ json }) => JSON.stringify(valueAt(json, field)));
        assertConforms(retrieved, a === b, `Its ${field} differs.`);
      }
    },
  }),
  stored(RETRIEVE, 'not-stored', {
    title: 'A response with store false does not exist',
    weight: 3,
    async run(context) {
      const response = await read(context, createdId(await sendResponseRequest(context), 'a response'));
      assertStatus(response, 404);
    },
  }),
  stored(RETRIEVE, 'streamed', {
    title: 'A streamed response is stored too',
    weight: 3,
    async run(context) {
      const created = await createResponse(context, { stream: true }).catch(() =>
        sendResponseRequest(context, { store: true, stream: true }),
      );
      const id = /"response": ?\{"id": ?"([^"]+)"/.exec(created.text)?.[1];
      if (id === undefined) throw new Skip('it needs a streamed response with an ID');
      const retrieved = await read(context, id);
      assertSuccess(retrieved);
      assertConforms(retrieved, textAt(retrieved.json, 'status') === 'completed', 'Its status is not completed.');
      assertConforms(retrieved, outputText(retrieved.json) !== '', 'Its output has no text.');
    },
  }),
  stored(CREATE, 'continues', {
    title: 'A response continues another by previous_response_id: its input includes the earlier turn',
    weight: 3,
    async run(context) {
      const previous_response_id = await sharedResponse(context);
      const response = await continueResponse(context, { previous_response_id });
      assertFields(response, { previous_response_id });
      const tokens = (one: CompleteResponse): number => numberAt(one.json, 'usage', 'input_tokens') ?? 0;
      const single = await sendResponseRequest(context);
      assertConforms(
        response,
        tokens(response) > tokens(single),
        `It has ${tokens(response)} input tokens, and ${tokens(single)} without an earlier turn.`,
      );
    },
  }),
  stored(CREATE, 'continues-call', {
    title: 'The output of a function continues a stored call without the call being sent again',
    weight: 3,
    async run(context) {
      const created = await createResponse(context, forcedToolRequest);
      const call_id = textAt(outputItems(created.json, 'function_call')[0], 'call_id');
      if (call_id === undefined) throw new Skip('no function was called');
      const response = await continueResponse(context, {
        previous_response_id: createdId(created, 'a stored response'),
        input: [{ type: 'function_call_output', call_id, output: 'Sunny, 21 °C' }],
      });
      assertConforms(response, listAt(response.json, 'output').length > 0, 'Its output is empty.');
    },
  }),
  stored(CREATE, 'reference', {
    title: 'An item_reference stands for a stored item',
    expectation: 'The Vercel AI SDK sends an item_reference in place of each item of an earlier response.',
    async run(context) {
      const created = await createResponse(context, {});
      const id = textAt(outputItems(created.json, 'message')[0], 'id');
      if (id === undefined) throw new Skip('no message was created');
      const input = [
        { role: 'user', content: 'Say hello.' },
        { type: 'item_reference', id },
        { role: 'user', content: 'Again.' },
      ];
      const response = await sendResponseRequest(context, { input });
      assertSuccess(response);
    },
  }),
  ...pagingChecks({
    endpoint: ITEMS,
    needs,
    id: sharedResponse,
    createItems: async (context) => ({
      ids: listedIds(await inputItems(context, await sharedResponse(context))),
      query: [],
    }),
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  stored(ITEMS, 'all', {
    title: 'Lists the items of the input, with their roles and text, newest first',
    weight: 3,
    async run(context) {
      const response = await inputItems(context, await sharedResponse(context));
      const roles = listAt(response.json, 'data').map((item) => textAt(item, 'role'));
      assertConforms(response, roles.join() === 'user,assistant,user', `Their roles are ${roles.join(', ')}.`);
      assertConforms(
        response,
        response.text.includes('Cologne') && response.text.includes('Vienna'),
        'A text is missing.',
      );
    },
  }),
  stored(ITEMS, 'own', {
    title: 'Lists the items of that response alone, without those of the responses before it',
    async run(context) {
      const response = await continueResponse(context, { previous_response_id: await sharedResponse(context) });
      const items = await inputItems(context, createdId(response, 'a stored response'));
      const count = listAt(items.json, 'data').length;
      assertConforms(items, count === 1, `${count} items are listed instead of 1.`);
    },
  }),
  stored(DELETE, 'gone', {
    title: 'A deleted response is gone, with its items',
    weight: 3,
    async run(context) {
      const id = await newResponse(context);
      const response = await context.send({ method: 'DELETE', path: `/responses/${id}` });
      assertSuccess(response);
      const retrieved = await read(context, id);
      assertStatus(retrieved, 404);
      const items = await context.send({ method: 'GET', path: `/responses/${id}/input_items` });
      assertClientError(items);
    },
  }),
  stored(CREATE, 'background', {
    title: 'background returns a response at once that is completed later',
    weight: 3,
    phase: 'jobs',
    async run(context) {
      const created = await createResponse(context, { background: true, input: 'Tell me about rivers.' });
      const status = textAt(created.json, 'status') ?? '';
      assertConforms(created, ['queued', 'in_progress'].includes(status), `Its first status is ${status}.`);
      assertConforms(created, valueAt(created.json, 'background') === true, 'background is not true.');
      const ended = await pollUntil(context, `/responses/${createdId(created, 'a stored response')}`, hasEnded);
      assertConforms(ended, textAt(ended.json, 'status') === 'completed', 'It did not become completed.');
      assertConforms(ended, outputText(ended.json) !== '', 'Its output has no text.');
    },
  }),
  stored(RETRIEVE, 'resume', {
    title: 'The events of a background stream are sent again, and from starting_after on',
    phase: 'jobs',
    async run(context) {
      const created = await sendResponseRequest(context, { store: true, background: true, stream: true });
      const id = /"response": ?\{"id": ?"([^"]+)"/.exec(created.text)?.[1];
      if (id === undefined) throw new Skip('it needs a background stream');
      const numbers = ({ text }: CompleteResponse): string =>
        [...text.matchAll(/"sequence_number": ?(\d+)/g)].map(([, number]) => number).join();
      const second = await read(context, id, [['stream', 'true']]);
      assertSuccess(second);
      assertConforms(
        second,
        numbers(second) === numbers(created),
        `The sequence numbers are ${numbers(second)}, and were ${numbers(created)}.`,
      );
      const remaining = await read(context, id, [
        ['stream', 'true'],
        ['starting_after', '1'],
      ]);
      assertConforms(
        remaining,
        `0,1,${numbers(remaining)}` === numbers(created),
        `After 1, the sequence numbers are ${numbers(remaining)}.`,
      );
    },
  }),
  stored(CANCEL, 'ends', {
    title:
      'A cancelled background response has the status cancelled, or ended before; cancelling again changes nothing',
    weight: 3,
    async run(context) {
      const id = await createInBackground(context, 'Tell me at length about rivers.');
      const response = await post(context, `/responses/${id}/cancel`);
      assertSuccess(response);
      assertConforms(response, hasEnded(response), `Its status is ${textAt(response.json, 'status') ?? 'missing'}.`);
      const second = await post(context, `/responses/${id}/cancel`);
      const retrieved = await read(context, id);
      const statuses = [response, second, retrieved].map(({ json }) => textAt(json, 'status'));
      assertConforms(second, new Set(statuses).size === 1, `The status changes: ${statuses.join(', ')}.`);
    },
  }),
  stored(CANCEL, 'foreground', {
    title: 'A response that was not created with background cannot be cancelled',
    async run(context) {
      const response = await post(context, `/responses/${await sharedResponse(context)}/cancel`);
      assertClientError(response);
    },
  }),
  check('responses.input_tokens.count', 'more', {
    title: 'A longer input has more tokens',
    section: 'companion',
    certainty: 'likely',
    async run(context) {
      const count = async (input: unknown): Promise<CompleteResponse> =>
        context.send({
          method: 'POST',
          path: '/responses/input_tokens',
          body: { model: await context.chatModel(), input },
        });
      const [fewTokens, manyTokens] = [await count('Hi'), await count(conversationTurns)];
      const tokens = ({ json }: CompleteResponse): number => numberAt(json, 'input_tokens') ?? 0;
      assertConforms(
        manyTokens,
        tokens(manyTokens) > tokens(fewTokens) && tokens(fewTokens) > 0,
        `They are ${tokens(fewTokens)} and ${tokens(manyTokens)}.`,
      );
    },
  }),
  check('responses.compact', 'input', {
    title: 'The output of a compaction has a compaction item and can be the input of a response',
    section: 'companion',
    certainty: 'likely',
    needs,
    async run(context) {
      const compacted = await context.sendOnce('a compaction', async () => ({
        method: 'POST',
        path: '/responses/compact',
        body: { model: await context.chatModel(), input: conversationTurns },
      }));
      assertSuccess(compacted);
      assertConforms(compacted, outputItems(compacted.json, 'compaction').length > 0, 'It has no compaction item.');
      const input = [...listAt(compacted.json, 'output'), { role: 'user', content: 'Go on.' }];
      const response = await sendResponseRequest(context, { input });
      assertConforms(response, isSuccess(response), `As input it returns ${response.status}.`);
    },
  }),
];

function inputItems(context: RunContext, id: string): Promise<CompleteResponse> {
  const request = { method: 'GET', path: `/responses/${id}/input_items` };
  return successful(context.sendOnce(`input items of ${id}`, () => request));
}
