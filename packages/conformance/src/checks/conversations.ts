import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { listAt, textAt, valueAt } from '../exchange/value.ts';
import { assertConforms, assertStatus, assertSuccess } from '../verdict.ts';
import {
  conversationWithItem,
  newConversation,
  sharedConversation,
  conversationTurns,
} from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { listedIds, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';

const needs = ['conversations.create'] as const;

const conversation = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'>): Check =>
  check(endpoint, name, { needs, certainty: 'likely', ...init, section: 'companion' });

async function sendExpectingSuccess(
  context: RunContext,
  method: string,
  path: string,
  body?: unknown,
): Promise<CompleteResponse> {
  const response = await context.send({ method, path: `/conversations/${path}`, ...(body !== undefined && { body }) });
  assertConforms(response, isSuccess(response), `${method} /conversations/${path} returns ${response.status}.`);
  return response;
}

const assertNotFound = async (context: RunContext, path: string): Promise<void> => {
  const response = await context.send({ method: 'GET', path: `/conversations/${path}` });
  assertStatus(response, 404);
};

const itemRoles = (response: CompleteResponse): string =>
  listAt(response.json, 'data')
    .map((item) => textAt(item, 'role'))
    .join();

/** Conversations and their items. */
export const conversationChecks: readonly Check[] = [
  conversation('conversations.retrieve', 'metadata', {
    title: 'A conversation has its metadata',
    async run(context) {
      const response = await sendExpectingSuccess(context, 'GET', await newConversation(context));
      assertConforms(
        response,
        textAt(response.json, 'metadata', 'conformance') === context.runId,
        'Its metadata differs.',
      );
    },
  }),
  conversation('conversations.update', 'replaces', {
    title: 'Updating replaces the metadata, in the response and later',
    weight: 3,
    async run(context) {
      const id = await newConversation(context);
      const metadata = { topic: 'rivers' };
      for (const response of [
        await sendExpectingSuccess(context, 'POST', id, { metadata }),
        await sendExpectingSuccess(context, 'GET', id),
      ]) {
        const isExpected = JSON.stringify(valueAt(response.json, 'metadata')) === JSON.stringify(metadata);
        assertConforms(response, isExpected && textAt(response.json, 'id') === id, 'The metadata is not the new one.');
      }
    },
  }),
  conversation('conversations.delete', 'gone', {
    title: 'A deleted conversation is gone',
    weight: 3,
    async run(context) {
      const id = await newConversation(context);
      await sendExpectingSuccess(context, 'DELETE', id);
      await assertNotFound(context, id);
    },
  }),
  ...pagingChecks({
    endpoint: 'conversations.items.list',
    needs,
    id: sharedConversation,
    createItems: async (context) => ({
      ids: listedIds(await sendExpectingSuccess(context, 'GET', `${await sharedConversation(context)}/items`)),
      query: [],
    }),
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  conversation('conversations.items.list', 'all', {
    title: 'Lists the items that the conversation was created with, newest first',
    weight: 3,
    async run(context) {
      const response = await sendExpectingSuccess(context, 'GET', `${await sharedConversation(context)}/items`);
      assertConforms(response, itemRoles(response) === 'user,assistant,user', `The roles are ${itemRoles(response)}.`);
      const [newest] = listAt(response.json, 'data');
      assertConforms(response, JSON.stringify(newest).includes('Cologne'), 'The first item is not the newest one.');
    },
  }),
  conversation('conversations.items.create', 'adds', {
    title: 'Returns the items that it adds, with their IDs, in their order, and adds them at the end',
    weight: 3,
    async run(context) {
      const id = await newConversation(context);
      const added = await sendExpectingSuccess(context, 'POST', `${id}/items`, {
        items: conversationTurns.slice(0, 2),
      });
      assertConforms(added, itemRoles(added) === 'user,assistant', `The roles are ${itemRoles(added)}.`);
      const listed = await sendExpectingSuccess(context, 'GET', `${id}/items`);
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
    call: async (context) => ({
      method: 'POST',
      path: `/conversations/${await sharedConversation(context)}/items`,
      body: { items: Array.from({ length: 21 }, () => conversationTurns[0]) },
    }),
  }),
  conversation('conversations.items.retrieve', 'same', {
    title: 'A retrieved item is the listed one',
    async run(context) {
      const [id = '', item = ''] = (await conversationWithItem(context, await sharedConversation(context))).split('/');
      const response = await sendExpectingSuccess(context, 'GET', `${id}/items/${item}`);
      assertConforms(response, textAt(response.json, 'id') === item, 'Its ID differs.');
      assertConforms(response, response.text.includes('Vienna'), 'Its content differs.');
    },
  }),
  conversation('conversations.items.retrieve', 'absent-item', {
    title: 'Returns 404 for an unknown item of an existing conversation',
    run: async (context) => assertNotFound(context, `${await sharedConversation(context)}/items/msg_${context.runId}`),
  }),
  conversation('conversations.items.delete', 'gone', {
    title: 'A deleted item is gone, and the others stay',
    weight: 3,
    async run(context) {
      const [id = '', item = ''] = (await conversationWithItem(context, await newConversation(context))).split('/');
      await sendExpectingSuccess(context, 'DELETE', `${id}/items/${item}`);
      await assertNotFound(context, `${id}/items/${item}`);
      const listed = await sendExpectingSuccess(context, 'GET', `${id}/items`);
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
    async run(context) {
      const id = await newConversation(context);
      const body = { model: await context.chatModel(), input: 'Say hello.', conversation: id };
      const response = await context.send({ method: 'POST', path: '/responses', body });
      assertSuccess(response);
      assertConforms(response, textAt(response.json, 'conversation', 'id') === id, 'conversation.id is not the id.');
      const listed = await sendExpectingSuccess(context, 'GET', `${id}/items`);
      const roles = itemRoles(listed);
      assertConforms(listed, roles === 'assistant,user,user,assistant,user', `The roles of its items are ${roles}.`);
    },
  }),
];
