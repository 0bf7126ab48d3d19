import { blobKey } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { answerOf, faultyStore, isAbortUpload } from './testing/faulty-proxy.ts';

const hourMs = 3_600_000;

test('opening aborts old multipart uploads and no others', async () => {
  const upload = (key: string, id: string, hours: number) => {
    const initiated = new Date(Date.now() - hours * hourMs).toISOString();
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  };
  const [old, young, later] = [blobKey(), blobKey(), blobKey()];
  const pages = [
    [
      upload(`ours/${old}`, 'old&amp;id', 25),
      upload(`ours/${young}`, 'young', 23),
      upload('ours/blob_of/others', 'others', 99),
      '<IsTruncated>true</IsTruncated><NextKeyMarker>k&amp;</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>',
    ],
    [upload(`ours/${later}`, 'later', 30), upload(`theirs/${old}`, 'theirs', 99), '<IsTruncated>false</IsTruncated>'],
  ];
  const { options, received } = await faultyStore(({ method, query }) => {
    if (method === 'DELETE') return { type: 'answer', status: 204 };
    if (!query.has('uploads')) return undefined;
    const body = pages[query.has('key-marker') ? 1 : 0]?.join('') ?? '';
    return { type: 'answer', status: 200, body: `<ListMultipartUploadsResult>${body}</ListMultipartUploadsResult>` };
  });
  const blobs = await openS3Blobs({ ...options, prefix: 'ours/' });
  const removed = () => received.filter(isAbortUpload).map(({ path, query }) => [path, query.get('uploadId')]);
  await expect.poll(removed).toEqual([
    [`/test-bucket/ours/${old}`, 'old&id'],
    [`/test-bucket/ours/${later}`, 'later'],
  ]);
  const listQueries = received
    .filter(({ query }) => query.has('uploads'))
    .map(({ query }) => Object.fromEntries(query));
  expect(listQueries).toEqual([
    { uploads: '', prefix: 'ours/blob_' },
    { uploads: '', prefix: 'ours/blob_', 'key-marker': 'k&', 'upload-id-marker': 'u' },
  ]);
  await blobs.close();
});

test('works with a server that does not list multipart uploads', async () => {
  const { options, received } = await faultyStore(({ query }) =>
    query.has('uploads') ? answerOf(403, 'AccessDenied') : undefined,
  );
  const blobs = await openS3Blobs(options);
  await blobs.check();
  await expect.poll(() => received.some(({ query }) => query.has('uploads'))).toBe(true);
  await blobs.close();
});
