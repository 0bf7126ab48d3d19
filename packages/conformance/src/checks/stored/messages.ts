import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { listAt, textAt, valueAt } from '../../exchange/value.ts';
import { newCompletion, unstoredCompletion } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { listedIds, pagingChecks } from '../paging.ts';
import { assertConforms, assertStatus, successful } from '../../verdict.ts';

const MESSAGES = 'chat.completions.messages.list';
const { section } = contract[MESSAGES];
const OBJECT = 'Chat completion message list object';
const needs = ['chat.completions.create'] as const;

const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Say hello.', name: 'ann' },
  { role: 'assistant', content: 'Hello!' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Say it ' },
      { type: 'text', text: 'again.' },
    ],
  },
];

const storedConversation = (context: RunContext): Promise<string> =>
  context.createOnce('a stored conversation', () => newCompletion(context, { messages: conversation }));

async function listMessages(context: RunContext): Promise<CompleteResponse> {
  const id = await storedConversation(context);
  const request = { method: 'GET', path: `/chat/completions/${id}/messages` };
  return successful(context.sendOnce('the stored conversation', () => request));
}

/** The messages of a stored completion. */
export const storedMessageChecks: readonly Check[] = [
  ...pagingChecks({
    endpoint: MESSAGES,
    needs,
    id: storedConversation,
    createItems: async (context) => ({ ids: listedIds(await listMessages(context)), query: [] }),
    hasOrder: true,
    defaultOrder: 'asc',
  }),
  check(MESSAGES, 'all', {
    title: 'Returns every message of the request, in order, with its role',
    section,
    weight: 3,
    needs,
    async run(context) {
      const response = await listMessages(context);
      const roles = listAt(response.json, 'data').map((message) => textAt(message, 'role'));
      const sent = conversation.map(({ role }) => role);
      // A service may add the assistant's message.
      assertConforms(
        response,
        roles.slice(0, sent.length).join() === sent.join(),
        `The roles are ${roles.join(', ')}.`,
      );
    },
  }),
  check(MESSAGES, 'content', {
    title: 'Messages have the text of the request',
    section: OBJECT,
    weight: 3,
    needs,
    async run(context) {
      const response = await listMessages(context);
      for (const [index, { content }] of conversation.entries()) {
        if (typeof content !== 'string') continue;
        assertConforms(
          response,
          textAt(response.json, 'data', index, 'content') === content,
          `Message ${index} differs.`,
        );
      }
    },
  }),
  check(MESSAGES, 'parts', {
    title: 'Returns content that was sent as parts',
    section: OBJECT,
    certainty: 'likely',
    needs,
    async run(context) {
      const response = await listMessages(context);
      const message = valueAt(response.json, 'data', 3);
      const parts = listAt(message, 'content_parts')
        .map((part) => textAt(part, 'text') ?? '')
        .join('');
      const text = textAt(message, 'content') ?? '';
      assertConforms(
        response,
        parts === 'Say it again.' || text === 'Say it again.',
        'Neither content nor content_parts contains the text.',
      );
    },
  }),
  check(MESSAGES, 'name', {
    title: 'A message has the name of its participant',
    section: OBJECT,
    needs,
    weight: 1,
    async run(context) {
      const response = await listMessages(context);
      assertConforms(response, textAt(response.json, 'data', 1, 'name') === 'ann', 'The name is missing.');
    },
  }),
  check(MESSAGES, 'ids', {
    title: "Each message has a unique ID with the prefix of the completion's ID",
    section: OBJECT,
    certainty: 'likely',
    weight: 1,
    needs,
    async run(context) {
      const id = await storedConversation(context);
      const response = await listMessages(context);
      const ids = listedIds(response);
      assertConforms(response, new Set(ids).size === ids.length && !ids.includes(''), 'Ids repeat or are missing.');
      assertConforms(
        response,
        ids.every((one) => one.startsWith(id)),
        "Ids do not start with the completion's id.",
      );
    },
  }),
  check(MESSAGES, 'not-stored', {
    title: 'The messages of a completion without store do not exist',
    section: 'Errors',
    needs,
    async run(context) {
      const response = await context.send({
        method: 'GET',
        path: `/chat/completions/${await unstoredCompletion(context)}/messages`,
      });
      assertStatus(response, 404);
    },
  }),
];
