import { check } from '../../check.ts';
import type { Check, CheckInit, SubjectId } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertConforms, assertSuccess, Skip } from '../../verdict.ts';
import { createdId, newResponse, sharedResponse, conversationTurns, pollUntil } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { listedIds, pagingChecks } from '../paging.ts';
import { sendResponseRequest, forcedToolRequest, outputItems, outputText } from './ask.ts';

const CREATE = 'responses.create';
const RETRIEVE = 'responses.retrieve';
const DELETE = 'responses.delete';
const CANCEL = 'responses.cancel';
const ITEMS = 'responses.input_items.list';
const needs = ['responses.create'] as const;

const read = (world: World, id: string, query: readonly (readonly [string, string])[] = []): Promise<Answer> =>
  world.send({ method: 'GET', path: `/responses/${id}`, query });

const post = (world: World, path: string): Promise<Answer> => world.send({ method: 'POST', path });

const stored = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section' | 'needs'>): Check =>
  check(endpoint, name, { certainty: 'likely', ...init, section: 'companion', needs });

/** A response of which the rest of a check is about. */
async function createResponse(world: World, fields: object): Promise<Answer> {
  const answer = await sendResponseRequest(world, { store: true, ...fields });
  createdId(answer, 'a stored response');
  return answer;
}

async function continueResponse(world: World, fields: object): Promise<Answer> {
  const answer = await sendResponseRequest(world, { store: true, ...fields });
  assertConforms(answer, isSuccess(answer), `The response that continues it has status ${answer.status}.`);
  return answer;
}

const createInBackground = (world: World, input = 'Say hello.'): Promise<string> =>
  newResponse(world, { background: true, input });

const hasEnded = ({ json }: Answer): boolean =>
  ['completed', 'incomplete', 'failed', 'cancelled'].includes(textAt(json, 'status') ?? '');

/** Stored responses: retrieved, continued, listed, deleted, and generated in the background. */
export const storedResponseChecks: readonly Check[] = [
  stored(RETRIEVE, 'same', {
    title: 'A retrieved response equals the created one',
    weight: 3,
    async run(world) {
      const created = await createResponse(world, { metadata: { conformance: world.runId } });
      const retrieved = await read(world, createdId(created, 'a stored response'));
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
    async run(world) {
      const answer = await read(world, createdId(await sendResponseRequest(world), 'a response'));
      assertConforms(answer, answer.status === 404, `The response has status ${answer.status} instead of 404.`);
    },
  }),
  stored(RETRIEVE, 'streamed', {
    title: 'A streamed response is stored too',
    weight: 3,
    async run(world) {
      const created = await createResponse(world, { stream: true }).catch(() =>
        sendResponseRequest(world, { store: true, stream: true }),
      );
      const id = /"response": ?\{"id": ?"([^"]+)"/.exec(created.text)?.[1];
      if (id === undefined) throw new Skip('it needs a streamed response with an ID');
      const retrieved = await read(world, id);
      assertSuccess(retrieved);
      assertConforms(retrieved, textAt(retrieved.json, 'status') === 'completed', 'Its status is not completed.');
      assertConforms(retrieved, outputText(retrieved.json) !== '', 'Its output has no text.');
    },
  }),
  stored(CREATE, 'continues', {
    title: 'A response continues another by previous_response_id: its input includes the earlier turn',
    weight: 3,
    async run(world) {
      const previous_response_id = await sharedResponse(world);
      const answer = await continueResponse(world, { previous_response_id });
      const id = textAt(answer.json, 'previous_response_id');
      assertConforms(answer, id === previous_response_id, `Its previous_response_id is ${String(id)}.`);
      const tokens = (one: Answer): number => numberAt(one.json, 'usage', 'input_tokens') ?? 0;
      const single = await sendResponseRequest(world);
      assertConforms(answer, tokens(answer) > tokens(single), `It has ${tokens(answer)} input tokens, and ${tokens(single)} without an earlier turn.`); // prettier-ignore
    },
  }),
  stored(CREATE, 'continues-call', {
    title: 'The output of a function continues a stored call without the call being sent again',
    weight: 3,
    async run(world) {
      const created = await createResponse(world, forcedToolRequest);
      const call_id = textAt(outputItems(created.json, 'function_call')[0], 'call_id');
      if (call_id === undefined) throw new Skip('no function was called');
      const answer = await continueResponse(world, {
        previous_response_id: createdId(created, 'a stored response'),
        input: [{ type: 'function_call_output', call_id, output: 'Sunny, 21 °C' }],
      });
      assertConforms(answer, listAt(answer.json, 'output').length > 0, 'Its output is empty.');
    },
  }),
  stored(CREATE, 'reference', {
    title: 'An item_reference stands for a stored item',
    expectation: 'The Vercel AI SDK sends an item_reference in place of each item of an earlier response.',
    async run(world) {
      const created = await createResponse(world, {});
      const id = textAt(outputItems(created.json, 'message')[0], 'id');
      if (id === undefined) throw new Skip('no message was created');
      const input = [{ role: 'user', content: 'Say hello.' }, { type: 'item_reference', id }, { role: 'user', content: 'Again.' }]; // prettier-ignore
      const answer = await sendResponseRequest(world, { input });
      assertSuccess(answer);
    },
  }),
  ...pagingChecks({
    endpoint: ITEMS,
    needs,
    id: sharedResponse,
    createItems: async (world) => ({ ids: listedIds(await inputItems(world, await sharedResponse(world))), query: [] }),
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  stored(ITEMS, 'all', {
    title: 'Lists the items of the input, with their roles and text, newest first',
    weight: 3,
    async run(world) {
      const answer = await inputItems(world, await sharedResponse(world));
      const roles = listAt(answer.json, 'data').map((item) => textAt(item, 'role'));
      assertConforms(answer, roles.join() === 'user,assistant,user', `Their roles are ${roles.join(', ')}.`);
      assertConforms(answer, answer.text.includes('Cologne') && answer.text.includes('Vienna'), 'A text is missing.');
    },
  }),
  stored(ITEMS, 'own', {
    title: 'Lists the items of that response alone, without those of the responses before it',
    async run(world) {
      const answer = await continueResponse(world, { previous_response_id: await sharedResponse(world) });
      const items = await inputItems(world, createdId(answer, 'a stored response'));
      const count = listAt(items.json, 'data').length;
      assertConforms(items, count === 1, `${count} items are listed instead of 1.`);
    },
  }),
  stored(DELETE, 'gone', {
    title: 'A deleted response is gone, with its items',
    weight: 3,
    async run(world) {
      const id = await newResponse(world);
      const answer = await world.send({ method: 'DELETE', path: `/responses/${id}` });
      assertSuccess(answer);
      const retrieved = await read(world, id);
      assertConforms(retrieved, retrieved.status === 404, `Retrieving it returns ${retrieved.status}.`);
      const items = await world.send({ method: 'GET', path: `/responses/${id}/input_items` });
      assertConforms(items, items.status >= 400, `Its input items return ${items.status}.`);
    },
  }),
  stored(CREATE, 'background', {
    title: 'background returns a response at once that is completed later',
    weight: 3,
    job: true,
    async run(world) {
      const created = await createResponse(world, { background: true, input: 'Tell me about rivers.' });
      const status = textAt(created.json, 'status') ?? '';
      assertConforms(created, ['queued', 'in_progress'].includes(status), `Its first status is ${status}.`);
      assertConforms(created, valueAt(created.json, 'background') === true, 'background is not true.');
      const ended = await pollUntil(world, `/responses/${createdId(created, 'a stored response')}`, hasEnded);
      assertConforms(ended, textAt(ended.json, 'status') === 'completed', 'It did not become completed.');
      assertConforms(ended, outputText(ended.json) !== '', 'Its output has no text.');
    },
  }),
  stored(RETRIEVE, 'resume', {
    title: 'The events of a background stream are sent again, and from starting_after on',
    job: true,
    async run(world) {
      const created = await sendResponseRequest(world, { store: true, background: true, stream: true });
      const id = /"response": ?\{"id": ?"([^"]+)"/.exec(created.text)?.[1];
      if (id === undefined) throw new Skip('it needs a background stream');
      const numbers = ({ text }: Answer): string =>
        [...text.matchAll(/"sequence_number": ?(\d+)/g)].map(([, number]) => number).join();
      const second = await read(world, id, [['stream', 'true']]);
      assertSuccess(second);
      assertConforms(second, numbers(second) === numbers(created), `The sequence numbers are ${numbers(second)}, and were ${numbers(created)}.`); // prettier-ignore
      const remaining = await read(world, id, [['stream', 'true'], ['starting_after', '1']]); // prettier-ignore
      assertConforms(remaining, `0,1,${numbers(remaining)}` === numbers(created), `After 1, the sequence numbers are ${numbers(remaining)}.`); // prettier-ignore
    },
  }),
  stored(CANCEL, 'ends', {
    title:
      'A cancelled background response has the status cancelled, or ended before; cancelling again changes nothing',
    weight: 3,
    async run(world) {
      const id = await createInBackground(world, 'Tell me at length about rivers.');
      const answer = await post(world, `/responses/${id}/cancel`);
      assertSuccess(answer);
      assertConforms(answer, hasEnded(answer), `Its status is ${textAt(answer.json, 'status') ?? 'missing'}.`);
      const second = await post(world, `/responses/${id}/cancel`);
      const retrieved = await read(world, id);
      const statuses = [answer, second, retrieved].map(({ json }) => textAt(json, 'status'));
      assertConforms(second, new Set(statuses).size === 1, `The status changes: ${statuses.join(', ')}.`);
    },
  }),
  stored(CANCEL, 'foreground', {
    title: 'A response that was not created with background cannot be cancelled',
    async run(world) {
      const answer = await post(world, `/responses/${await sharedResponse(world)}/cancel`);
      const rejected = answer.status >= 400 && answer.status < 500;
      assertConforms(answer, rejected, `The response has status ${answer.status}.`);
    },
  }),
  check('responses.input_tokens.count', 'more', {
    title: 'A longer input has more tokens',
    section: 'companion',
    certainty: 'likely',
    async run(world) {
      const count = async (input: unknown): Promise<Answer> =>
        world.send({
          method: 'POST',
          path: '/responses/input_tokens',
          body: { model: await world.chatModel(), input },
        });
      const [fewTokens, manyTokens] = [await count('Hi'), await count(conversationTurns)];
      const tokens = ({ json }: Answer): number => numberAt(json, 'input_tokens') ?? 0;
      assertConforms(manyTokens, tokens(manyTokens) > tokens(fewTokens) && tokens(fewTokens) > 0, `They are ${tokens(fewTokens)} and ${tokens(manyTokens)}.`); // prettier-ignore
    },
  }),
  check('responses.compact', 'input', {
    title: 'The output of a compaction has a compaction item and can be the input of a response',
    section: 'companion',
    certainty: 'likely',
    needs,
    async run(world) {
      const compacted = await world.sendOnce('a compaction', async () => ({
        method: 'POST',
        path: '/responses/compact',
        body: { model: await world.chatModel(), input: conversationTurns },
      }));
      assertSuccess(compacted);
      assertConforms(compacted, outputItems(compacted.json, 'compaction').length > 0, 'It has no compaction item.');
      const input = [...listAt(compacted.json, 'output'), { role: 'user', content: 'Go on.' }];
      const answer = await sendResponseRequest(world, { input });
      assertConforms(answer, isSuccess(answer), `As input it is answered with ${answer.status}.`);
    },
  }),
];

async function inputItems(world: World, id: string): Promise<Answer> {
  const answer = await world.sendOnce(`input items of ${id}`, () => ({ method: 'GET', path: `/responses/${id}/input_items` })); // prettier-ignore
  assertSuccess(answer);
  return answer;
}
