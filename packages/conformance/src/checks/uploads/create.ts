import { UPLOAD_MAX_BYTES, UPLOAD_PART_MAX_BYTES } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import { numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { newUpload, partCall, uploadBody } from '../../world/makers.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertErrorShape, successfulSample } from '../shape.ts';
import { assertConforms, assertSuccess } from '../../verdict.ts';

const CREATE = 'uploads.create';
const PARTS = 'uploads.parts.create';
const needs = ['uploads.create'] as const;

const rejects = (
  name: string,
  title: string,
  field: string,
  changes: object,
  section = 'companion',
): readonly Check[] =>
  rejectionChecks(CREATE, `refuses.${name}`, {
    title,
    section,
    field,
    certainty: section === 'companion' ? 'likely' : 'sure',
    call: () => ({ method: 'POST', path: '/uploads', body: { ...uploadBody(3), ...changes } }),
  });

/** Creating uploads and adding parts. */
export const uploadCreateChecks: readonly Check[] = [
  check(CREATE, 'object', {
    title: 'A new upload is pending, has the requested values and expires_at',
    section: 'Upload object',
    weight: 3,
    async run(world) {
      const answer = await successfulSample(world, CREATE);
      assertConforms(answer, textAt(answer.json, 'object') === 'upload', 'Its object is not upload.');
      assertConforms(
        answer,
        textAt(answer.json, 'status') === 'pending',
        `Its status is ${String(textAt(answer.json, 'status'))}.`,
      );
      const { filename, bytes, purpose } = uploadBody(3);
      for (const [field, value] of Object.entries({ filename, bytes, purpose })) {
        assertConforms(answer, valueAt(answer.json, field) === value, `Its ${field} is not ${String(value)}.`);
      }
      const [created = 0, expires = 0] = [numberAt(answer.json, 'created_at'), numberAt(answer.json, 'expires_at')];
      assertConforms(answer, expires > created, 'It expires before it was created.');
      assertConforms(answer, (valueAt(answer.json, 'file') ?? null) === null, 'It has a file before it is completed.');
    },
  }),
  check(CREATE, 'most', {
    title: 'An upload can have 8 GB',
    section: 'Limits',
    async run(world) {
      const call = { method: 'POST', path: '/uploads', body: uploadBody(UPLOAD_MAX_BYTES) };
      const answer = await world.sendOnce('uploads most', () => call);
      assertSuccess(answer);
    },
  }),
  ...rejects('above', 'More than 8 GB are refused', 'bytes', { bytes: UPLOAD_MAX_BYTES + 1 }, 'Limits'),
  ...rejects('negative', 'Rejects a negative upload size', 'bytes', { bytes: -1 }),
  ...rejects('purpose', 'Rejects an unknown purpose', 'purpose', { purpose: 'conformance' }),
  check(PARTS, 'object', {
    title: 'A part has the ID of its upload',
    section: 'Upload part object',
    weight: 3,
    needs,
    async run(world) {
      const upload = await newUpload(world, 3);
      const answer = await world.send(partCall(upload, 'abc'));
      assertSuccess(answer);
      assertConforms(answer, textAt(answer.json, 'object') === 'upload.part', 'Its object is not upload.part.');
      assertConforms(answer, textAt(answer.json, 'upload_id') === upload, 'Its upload_id differs.');
    },
  }),
  check(PARTS, 'ids', {
    title: 'Concurrent parts have unique IDs',
    section: 'Add upload part',
    needs,
    async run(world) {
      const upload = await newUpload(world, 4);
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => world.send(partCall(upload, text))));
      const failed = answers.find((answer) => !isSuccess(answer));
      if (failed) assertConforms(failed, false, `One of four parts returns ${failed.status}.`);
      const [first] = answers;
      const ids = new Set(answers.map((answer) => textAt(answer.json, 'id')));
      if (first)
        assertConforms(first, ids.size === 4 && !ids.has(undefined), `Four parts have ${ids.size} different ids.`);
    },
  }),
  ...rejectionChecks(PARTS, 'refuses.no-data', {
    title: 'Rejects a part without data',
    section: 'Add upload part',
    field: 'data',
    needs,
    call: async (world) => ({ method: 'POST', path: `/uploads/${await newUpload(world, 3)}/parts`, form: { fields: { note: 'x' } } }), // prettier-ignore
  }),
  ...rejectionChecks(PARTS, 'refuses.json', {
    title: 'Rejects a part that is sent as JSON',
    section: 'Add upload part',
    certainty: 'likely',
    field: null,
    needs,
    call: async (world) => ({ method: 'POST', path: `/uploads/${await newUpload(world, 3)}/parts`, body: { data: 'abc' } }), // prettier-ignore
  }),
  check(PARTS, 'refuses.large', {
    title: 'Rejects a part of more than 64 MB',
    section: 'Limits',
    destructive: true,
    needs,
    async run(world) {
      const upload = await newUpload(world, UPLOAD_MAX_BYTES);
      const piece = new Uint8Array(1024 ** 2);
      const pieces = Array.from({ length: UPLOAD_PART_MAX_BYTES / piece.length }, () => piece);
      const answer = await world.send(partCall(upload, new Blob([...pieces, 'x'])));
      assertConforms(
        answer,
        answer.status === 413 || answer.status === 400,
        `The response has status ${answer.status}.`,
      );
      assertErrorShape(answer);
    },
  }),
];
