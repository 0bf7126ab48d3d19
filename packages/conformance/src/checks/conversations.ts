import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { listAt, textAt, valueAt } from '../exchange/value.ts';
import { assertConforms, assertSuccess } from '../verdict.ts';
import { conversationWithItem, newConversation, sharedConversation, conversationTurns } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { listedIds, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';

const needs = ['conversations.create'] as const;

const conversation = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'>): Check =>
  check(endpoint, name, { needs, certainty: 'likely', ...init, section: 'companion' });

async function sendExpectingSuccess(world: World, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await world.send({ method, path: `/conversations/${path}`, ...(body !== undefined && { body }) });
  assertConforms(answer, isSuccess(answer), `${method} /conversations/${path} returns ${answer.status}.`);
  return answer;
}

const assertNotFound = async (world: World, path: string): Promise<void> => {
  const answer = await world.send({ method: 'GET', path: `/conversations/${path}` });
  assertConforms(answer, answer.status === 404, `Retrieving it returns ${answer.status}.`);
};

const itemRoles = (answer: Answer): string =>
  listAt(answer.json, 'data')
    .map((item) => textAt(item, 'role'))
    .join();

/** Conversations and their items. */
export const conversationChecks: readonly Check[] = [
  conversation('conversations.retrieve', 'metadata', {
    title: 'A conversation has its metadata',
    async run(world) {
      const answer = await sendExpectingSuccess(world, 'GET', await newConversation(world));
      assertConforms(answer, textAt(answer.json, 'metadata', 'conformance') === world.runId, 'Its metadata differs.');
    },
  }),
  conversation('conversations.update', 'replaces', {
    title: 'Updating replaces the metadata, in the response and later',
    weight: 3,
    async run(world) {
      const id = await newConversation(world);
      const metadata = { topic: 'rivers' };
      for (const answer of [
        await sendExpectingSuccess(world, 'POST', id, { metadata }),
        await sendExpectingSuccess(world, 'GET', id),
      ]) {
        const isExpected = JSON.stringify(valueAt(answer.json, 'metadata')) === JSON.stringify(metadata);
        assertConforms(answer, isExpected && textAt(answer.json, 'id') === id, 'The metadata is not the new one.');
      }
    },
  }),
  conversation('conversations.delete', 'gone', {
    title: 'A deleted conversation is gone',
    weight: 3,
    async run(world) {
      const id = await newConversation(world);
      await sendExpectingSuccess(world, 'DELETE', id);
      await assertNotFound(world, id);
    },
  }),
  ...pagingChecks({
    endpoint: 'conversations.items.list',
    needs,
    id: sharedConversation,
    createItems: async (world) => ({ ids: listedIds(await sendExpectingSuccess(world, 'GET', `${await sharedConversation(world)}/items`)), query: [] }), // prettier-ignore
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  conversation('conversations.items.list', 'all', {
    title: 'Lists the items that the conversation was created with, newest first',
    weight: 3,
    async run(world) {
      const answer = await sendExpectingSuccess(world, 'GET', `${await sharedConversation(world)}/items`);
      assertConforms(answer, itemRoles(answer) === 'user,assistant,user', `The roles are ${itemRoles(answer)}.`);
      const [newest] = listAt(answer.json, 'data');
      assertConforms(answer, JSON.stringify(newest).includes('Cologne'), 'The first item is not the newest one.');
    },
  }),
  conversation('conversations.items.create', 'adds', {
    title: 'Returns the items that it adds, with their IDs, in their order, and adds them at the end',
    weight: 3,
    async run(world) {
      const id = await newConversation(world);
      const added = await sendExpectingSuccess(world, 'POST', `${id}/items`, { items: conversationTurns.slice(0, 2) });
      assertConforms(added, itemRoles(added) === 'user,assistant', `The roles are ${itemRoles(added)}.`);
      const listed = await sendExpectingSuccess(world, 'GET', `${id}/items`);
      const isExpected = listedIds(listed).slice(0, 2).toReversed().join() === listedIds(added).join();
      assertConforms(
        listed,
        isExpected && listedIds(listed).length === 5,
        'The list does not begin with the new items.',
      );
    },
  }),
  ...rejectionChecks('conversations.items.create', 'refuses.many', {
    title: 'Rejects more than 20 items',
    section: 'companion',
    certainty: 'likely',
    field: 'items',
    needs,
    call: async (world) => ({
      method: 'POST',
      path: `/conversations/${await sharedConversation(world)}/items`,
      body: { items: Array.from({ length: 21 }, () => conversationTurns[0]) },
    }),
  }),
  conversation('conversations.items.retrieve', 'same', {
    title: 'A retrieved item is the listed one',
    async run(world) {
      const [id = '', item = ''] = (await conversationWithItem(world, await sharedConversation(world))).split('/');
      const answer = await sendExpectingSuccess(world, 'GET', `${id}/items/${item}`);
      assertConforms(answer, textAt(answer.json, 'id') === item, 'Its ID differs.');
      assertConforms(answer, answer.text.includes('Vienna'), 'Its content differs.');
    },
  }),
  conversation('conversations.items.retrieve', 'absent-item', {
    title: 'Returns 404 for an unknown item of an existing conversation',
    run: async (world) => assertNotFound(world, `${await sharedConversation(world)}/items/msg_${world.runId}`),
  }),
  conversation('conversations.items.delete', 'gone', {
    title: 'A deleted item is gone, and the others stay',
    weight: 3,
    async run(world) {
      const [id = '', item = ''] = (await conversationWithItem(world, await newConversation(world))).split('/');
      await sendExpectingSuccess(world, 'DELETE', `${id}/items/${item}`);
      await assertNotFound(world, `${id}/items/${item}`);
      const listed = await sendExpectingSuccess(world, 'GET', `${id}/items`);
      assertConforms(
        listed,
        listedIds(listed).length === 2,
        `${listedIds(listed).length} items are left instead of 2.`,
      );
    },
  }),
  conversation('responses.create', 'conversation', {
    title: 'A response with a conversation adds its input and output to it',
    weight: 3,
    async run(world) {
      const id = await newConversation(world);
      const body = { model: await world.chatModel(), input: 'Say hello.', conversation: id };
      const answer = await world.send({ method: 'POST', path: '/responses', body });
      assertSuccess(answer);
      assertConforms(answer, textAt(answer.json, 'conversation', 'id') === id, 'conversation.id is not the id.');
      const listed = await sendExpectingSuccess(world, 'GET', `${id}/items`);
      const roles = itemRoles(listed);
      assertConforms(listed, roles === 'assistant,user,user,assistant,user', `The roles of its items are ${roles}.`);
    },
  }),
];
