import type { JobKind, Lease, Stores } from '@modelwire/ports';
import { batchRecord, fileRecord, partRecord, uploadRecord, videoRecord } from '@modelwire/ports/testing';

interface Existing {
  /** Marks what this run adds. */
  readonly run: string;
  /** A stored file, which is deleted. */
  readonly file: string;
  /** A pending upload, which is cancelled. */
  readonly upload: string;
}

const kinds: readonly JobKind[] = ['batch', 'video'];

/** Claims a due job, and makes each call that a worker makes with its lease. */
export async function claimAndReleaseJob({ jobs }: Stores): Promise<void> {
  const lease = await jobs.claim({ kinds, leaseMs: 1e12 });
  if (!lease) throw new Error('no job is due');
  await jobs.renew(lease, 1e12);
  await jobs.note(lease, 'x');
  await jobs.release(lease);
}

/** Lists, releases and forgets bytes whose time has come. */
export async function removeDueBytes({ ledger }: Stores, released: string): Promise<void> {
  await ledger.due({ limit: 5 });
  await ledger.release(released);
  await ledger.forget(['due1', 'due2']);
}

/** Prepares a call of each method on files, uploads, batches and videos of the project `p`, and the end of what expired. */
export async function prepareWorkCalls(stores: Stores, { run, file, upload }: Existing): Promise<() => Promise<void>> {
  const { ledger, jobs } = stores;
  const { files, uploads, batches, videos } = stores.project('p');
  for (const key of ['one', 'two', 'three', 'four']) await ledger.reserve(`${key} ${run}`, 1e12);
  const own = uploadRecord({ expires_at: 1e6 });
  const { id } = own.upload;
  await uploads.create(own);
  const segment = (key: string) => ({ key: `${key} ${run}`, bytes: 1 });
  const parts = ['one', 'two'].map((key) => partRecord(id, segment(key)));

  return async () => {
    await files.get('f3');
    await files.delete(file, 1e12);
    for (const part of parts) await uploads.addPart(part, { now: 1, maxBytes: 9, maxParts: 9 });
    await uploads.get(id);
    await uploads.parts(
      id,
      parts.map(({ part }) => part.id),
    );
    const completed = fileRecord({}, [segment('one')]);
    await uploads.complete(id, { now: 1, partIds: [parts[0]?.part.id ?? ''], file: completed, dueAfterMs: 1e12 });
    await uploads.completedWith(id);
    await uploads.cancel(upload, { now: 1, dueAfterMs: 1e12 });

    const taken: Lease[] = [];
    for (const kind of kinds) {
      const lease = await jobs.claim({ kinds: [kind], leaseMs: 1e12 });
      if (lease) taken.push(lease);
    }
    const [batch, video] = taken;
    if (!batch || !video) throw new Error('no job is due');
    await batches.addResults(batch.id, batch, [{ line: 1, failed: false, text: '' }]);
    await batches.results(batch.id, { after: 0, limit: 5 });
    await batches.get(batch.id);
    await batches.setForwarding(batch.id, batch, { submissions: [], preparations: 0 });
    await batches.forwarding(batch.id);
    const { batch: ended } = batchRecord({ id: batch.id });
    await batches.replace(ended, { version: 1, lease: batch });
    await batches.end(ended, { version: 2, lease: batch, files: [fileRecord({}, [segment('three')])] });

    const { video: drawn } = videoRecord({ id: video.id });
    await videos.get(video.id);
    await videos.update(drawn, { lease: video, checkpoint: '' });
    const contents = { video: { mediaType: 'video/mp4', content: [segment('four')] } };
    await videos.end(drawn, { lease: video, contents, dueAfterMs: 1e12 });
    await videos.delete(video.id, 1e12);
    await stores.removeExpired({ completionsBefore: undefined, now: 1000_000, limit: 5 });
  };
}
