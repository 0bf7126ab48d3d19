import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { listAt, textAt } from '../exchange/value.ts';
import { FILE_TEXT, fileCall, newFile, sharedFile } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { listedIds, pagingChecks } from './paging.ts';
import { rejectionChecks } from './refusal.ts';
import { assertErrorShape, successfulSample } from './shape.ts';
import { assertConforms, assertFields, assertStatus, assertSuccess } from '../verdict.ts';

const file = (endpoint: SubjectId, name: string, init: Omit<CheckInit, 'section'>): Check =>
  check(endpoint, name, { certainty: 'likely', ...init, section: 'companion' });

const needs = ['files.create'] as const;

/** Three files with one purpose, shared by checks. */
const threeFiles = (context: RunContext): Promise<readonly string[]> =>
  context
    .createOnce('three files', async () => {
      const ids: string[] = [];
      for (const text of ['one', 'two', 'three']) ids.push(await newFile(context, text, 'evals'));
      return ids.join(' ');
    })
    .then((ids) => ids.split(' '));

async function fetchContent(
  context: RunContext,
  headers: Readonly<Record<string, string>> = {},
): Promise<CompleteResponse> {
  const id = await sharedFile(context);
  return context.sendOnce(`content ${JSON.stringify(headers)}`, () => ({
    method: 'GET',
    path: `/files/${id}/content`,
    headers,
  }));
}

/** Files of uploads and batches. */
export const fileChecks: readonly Check[] = [
  file('files.create', 'object', {
    title: 'A new file has its name, purpose and size',
    weight: 3,
    async run(context) {
      const response = await successfulSample(context, 'files.create');
      const bytes = FILE_TEXT.length;
      assertFields(response, { object: 'file', filename: 'conformance.txt', purpose: 'user_data', bytes });
    },
  }),
  file('files.create', 'filename', {
    title: 'A filename beyond ASCII is kept',
    weight: 1,
    async run(context) {
      const filename = 'Flüsse 河.txt';
      assertFields(await context.send(fileCall('x', 'user_data', filename)), { filename });
    },
  }),
  ...rejectionChecks('files.create', 'refuses.purpose', {
    title: 'Rejects an unknown purpose',
    section: 'companion',
    certainty: 'likely',
    field: 'purpose',
    call: () => fileCall('x', 'conformance'),
  }),
  ...rejectionChecks('files.create', 'refuses.no-purpose', {
    title: 'Rejects a file without a purpose',
    section: 'companion',
    certainty: 'likely',
    field: 'purpose',
    call: () => ({
      method: 'POST',
      path: '/files',
      form: { file: { field: 'file', name: 'x.txt', bytes: new Blob(['x']) } },
    }),
  }),
  ...rejectionChecks('files.create', 'refuses.no-file', {
    title: 'Rejects a form without a file',
    section: 'companion',
    certainty: 'likely',
    field: 'file',
    call: () => ({ method: 'POST', path: '/files', form: { fields: { purpose: 'user_data' } } }),
  }),
  ...rejectionChecks('files.create', 'refuses.json', {
    title: 'Rejects a file that is sent as JSON',
    section: 'companion',
    certainty: 'likely',
    field: null,
    call: () => ({ method: 'POST', path: '/files', body: { purpose: 'user_data', file: 'x' } }),
  }),
  file('files.retrieve', 'same', {
    title: 'A retrieved file equals the created one',
    weight: 2,
    needs,
    async run(context) {
      const id = await sharedFile(context);
      const response = await context.send({ method: 'GET', path: `/files/${id}` });
      assertFields(response, { id, bytes: FILE_TEXT.length });
    },
  }),
  file('files.content', 'bytes', {
    title: 'The content of a file equals what was sent',
    weight: 3,
    needs,
    async run(context) {
      const response = await fetchContent(context);
      assertSuccess(response);
      assertConforms(response, response.text === FILE_TEXT, 'It differs.');
    },
  }),
  file('files.content', 'range', {
    title: 'Returns the bytes of a Range',
    certainty: 'opinion',
    needs,
    async run(context) {
      const response = await fetchContent(context, { range: 'bytes=7-9' });
      assertStatus(response, 206);
      assertConforms(response, response.text === FILE_TEXT.slice(7, 10), `They are '${response.text.slice(0, 80)}'.`);
      const contentRange = response.headers.get('content-range');
      assertConforms(
        response,
        contentRange === `bytes 7-9/${FILE_TEXT.length}`,
        `content-range is ${String(contentRange)}.`,
      );
    },
  }),
  file('files.content', 'range.outside', {
    title: 'Returns 416 for a Range beyond the file',
    certainty: 'opinion',
    weight: 1,
    needs,
    async run(context) {
      const response = await fetchContent(context, { range: 'bytes=9000-' });
      assertStatus(response, 416);
    },
  }),
  ...pagingChecks({
    endpoint: 'files.list',
    needs,
    createItems: async (context) => ({ ids: await threeFiles(context), query: [['purpose', 'evals']] }),
    hasOrder: true,
    defaultOrder: 'desc',
  }),
  file('files.list', 'purpose', {
    title: 'purpose filters by purpose',
    weight: 2,
    needs,
    async run(context) {
      const ids = await threeFiles(context);
      const response = await context.send({
        method: 'GET',
        path: '/files',
        query: [
          ['purpose', 'evals'],
          ['limit', '100'],
        ],
      });
      const others = listAt(response.json, 'data').filter((item) => textAt(item, 'purpose') !== 'evals');
      assertConforms(response, others.length === 0, 'Files of other purposes are included.');
      assertConforms(
        response,
        ids.every((id) => listedIds(response).includes(id)),
        'Some files of that purpose are missing.',
      );
    },
  }),
  file('files.delete', 'gone', {
    title: 'A deleted file and its content are gone',
    weight: 3,
    needs,
    async run(context) {
      const id = await newFile(context, 'to be deleted');
      const response = await context.send({ method: 'DELETE', path: `/files/${id}` });
      assertSuccess(response);
      assertFields(response, { id, deleted: true });
      for (const path of [`/files/${id}`, `/files/${id}/content`]) {
        const after = await context.send({ method: 'GET', path });
        assertStatus(after, 404);
        assertErrorShape(after);
      }
    },
  }),
  file('files.delete', 'twice', {
    title: 'Deleting again returns 404',
    weight: 1,
    needs,
    async run(context) {
      const id = await newFile(context, 'to be deleted');
      await context.send({ method: 'DELETE', path: `/files/${id}` });
      const response = await context.send({ method: 'DELETE', path: `/files/${id}` });
      assertStatus(response, 404);
    },
  }),
];
