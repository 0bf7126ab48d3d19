import { UPLOAD_MAX_BYTES, UPLOAD_PART_MAX_BYTES } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import { numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { newUpload, partCall, uploadBody } from '../../context/create-objects.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertErrorShape, successfulSample } from '../shape.ts';
import { assertConforms, assertFields, assertStatus, assertSuccess } from '../../verdict.ts';

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
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const { filename, bytes, purpose } = uploadBody(3);
      assertFields(response, { object: 'upload', status: 'pending', filename, bytes, purpose });
      const [created = 0, expires = 0] = [numberAt(response.json, 'created_at'), numberAt(response.json, 'expires_at')];
      assertConforms(response, expires > created, 'It expires before it was created.');
      assertConforms(
        response,
        (valueAt(response.json, 'file') ?? null) === null,
        'It has a file before it is completed.',
      );
    },
  }),
  check(CREATE, 'most', {
    title: 'An upload can have 8 GB',
    section: 'Limits',
    async run(context) {
      const call = { method: 'POST', path: '/uploads', body: uploadBody(UPLOAD_MAX_BYTES) };
      const response = await context.sendOnce('uploads most', () => call);
      assertSuccess(response);
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
    async run(context) {
      const upload = await newUpload(context, 3);
      const response = await context.send(partCall(upload, 'abc'));
      assertSuccess(response);
      assertFields(response, { object: 'upload.part', upload_id: upload });
    },
  }),
  check(PARTS, 'ids', {
    title: 'Concurrent parts have unique IDs',
    section: 'Add upload part',
    needs,
    async run(context) {
      const upload = await newUpload(context, 4);
      const responses = await Promise.all(['a', 'b', 'c', 'd'].map((text) => context.send(partCall(upload, text))));
      const failed = responses.find((response) => !isSuccess(response));
      if (failed) assertConforms(failed, false, `One of four parts returns ${failed.status}.`);
      const [first] = responses;
      const ids = new Set(responses.map((response) => textAt(response.json, 'id')));
      if (first)
        assertConforms(first, ids.size === 4 && !ids.has(undefined), `Four parts have ${ids.size} different ids.`);
    },
  }),
  ...rejectionChecks(PARTS, 'refuses.no-data', {
    title: 'Rejects a part without data',
    section: 'Add upload part',
    field: 'data',
    needs,
    call: async (context) => ({
      method: 'POST',
      path: `/uploads/${await newUpload(context, 3)}/parts`,
      form: { fields: { note: 'x' } },
    }),
  }),
  ...rejectionChecks(PARTS, 'refuses.json', {
    title: 'Rejects a part that is sent as JSON',
    section: 'Add upload part',
    certainty: 'likely',
    field: null,
    needs,
    call: async (context) => ({
      method: 'POST',
      path: `/uploads/${await newUpload(context, 3)}/parts`,
      body: { data: 'abc' },
    }),
  }),
  check(PARTS, 'refuses.large', {
    title: 'Rejects a part of more than 64 MB',
    section: 'Limits',
    destructive: true,
    needs,
    async run(context) {
      const upload = await newUpload(context, UPLOAD_MAX_BYTES);
      const piece = new Uint8Array(1024 ** 2);
      const pieces = Array.from({ length: UPLOAD_PART_MAX_BYTES / piece.length }, () => piece);
      const response = await context.send(partCall(upload, new Blob([...pieces, 'x'])));
      assertStatus(response, 413, 400);
      assertErrorShape(response);
    },
  }),
];
