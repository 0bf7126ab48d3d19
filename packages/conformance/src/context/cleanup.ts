import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import type { Call } from '../exchange/call.ts';
import { textAt, valueAt } from '../exchange/value.ts';

/** Records what the run creates, so that exactly that is removed. */
export interface Cleanup {
  /** Records the object that a response created. */
  readonly record: (call: Call, response: CompleteResponse) => void;
  /** Removes everything, and returns the names of the objects that it could not remove. */
  run(send: (call: Call) => Promise<CompleteResponse>): Promise<readonly string[]>;
}

export function createCleanup(): Cleanup {
  const created = new Map<string, CreatedObject>();
  const batches = new Set<string>();

  function add(name: string, call: Call): void {
    created.set(name, { name, call });
  }

  function note(call: Call, response: CompleteResponse): void {
    if (!isSuccess(response) || call.method !== 'POST') return;
    const id = createdId(response);
    if (id === undefined) return;
    const encodedId = encodeURIComponent(id);
    switch (call.path.replace(/^\/(\w+)\/[^/]+\//, '/$1/*/')) {
      case '/chat/completions':
        if (valueAt(call.body, 'store') === true) add(`completion ${id}`, remove(`/chat/completions/${encodedId}`));
        return;
      case '/responses':
        if (valueAt(call.body, 'store') !== false) add(`response ${id}`, remove(`/responses/${encodedId}`));
        return;
      case '/conversations':
        add(`conversation ${id}`, remove(`/conversations/${encodedId}`));
        return;
      case '/files':
        add(`file ${id}`, remove(`/files/${encodedId}`));
        return;
      case '/uploads':
        add(`upload ${id}`, { method: 'POST', path: `/uploads/${encodedId}/cancel` });
        return;
      case '/uploads/*/cancel':
        created.delete(`upload ${id}`);
        return;
      case '/uploads/*/complete': {
        const file = textAt(response.json, 'file', 'id');
        if (file === undefined) return;
        created.delete(`upload ${id}`);
        add(`file ${file}`, remove(`/files/${encodeURIComponent(file)}`));
        return;
      }
      case '/videos':
      case '/videos/*/remix':
      case '/videos/extensions':
        add(`video ${id}`, remove(`/videos/${encodedId}`));
        return;
      case '/batches':
        batches.add(id);
        add(`batch ${id}`, { method: 'POST', path: `/batches/${encodedId}/cancel` });
        return;
      default:
    }
  }

  return {
    record: note,
    async run(send) {
      const ending = Promise.all([...batches].map(async (batch) => ({ batch, ended: await endBatch(batch, send) })));
      const isBatch = (name: string): boolean => name.startsWith('batch ');
      await removeAll([...created.values()].filter(({ name }) => !isBatch(name)));
      for (const { batch, ended } of await ending) {
        for (const field of ['output_file_id', 'error_file_id']) {
          const file = textAt(ended?.json, field);
          if (file !== undefined) add(`file ${file}`, remove(`/files/${encodeURIComponent(file)}`));
        }
        // Batches cannot be deleted: an ended one stays and does no work.
        if (/^(?:completed|failed|cancelled|cancelling|expired)$/.test(textAt(ended?.json, 'status') ?? '')) {
          created.delete(`batch ${batch}`);
        }
      }
      // What a running batch uses is tried again.
      await removeAll([...created.values()]);
      const notRemoved = [...created.keys()];
      created.clear();
      return notRemoved;

      async function removeAll(objects: readonly CreatedObject[]): Promise<void> {
        for (const { name, call } of objects) {
          const response = await ignoreErrors(send(call));
          if ((response && (isSuccess(response) || response.status === 404)) || (await isAbsent(call, send))) {
            created.delete(name);
          }
        }
      }
    },
  };
}

interface CreatedObject {
  readonly name: string;
  /** Removes it. */
  readonly call: Call;
}

/** Whether an object is gone, or was never stored. */
async function isAbsent(call: Call, send: (call: Call) => Promise<CompleteResponse>): Promise<boolean> {
  const path = call.path.replace(/\/cancel$/, '');
  const retrieved = await ignoreErrors(send({ method: 'GET', path }));
  return retrieved !== undefined && !isSuccess(retrieved);
}

const POLLS = 50;
const POLL_MS = 100;

/** Cancels a batch that runs, and waits until it has ended, since its files are known only then. */
async function endBatch(
  batch: string,
  send: (call: Call) => Promise<CompleteResponse>,
): Promise<CompleteResponse | undefined> {
  const path = `/batches/${encodeURIComponent(batch)}`;
  for (let polls = 0; ; polls++) {
    const response = await ignoreErrors(send({ method: 'GET', path }));
    const status = textAt(response?.json, 'status') ?? '';
    if (!/^(?:validating|in_progress|finalizing|cancelling)$/.test(status) || polls === POLLS) return response;
    if (polls === 0 && status !== 'cancelling') await ignoreErrors(send({ method: 'POST', path: `${path}/cancel` }));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const remove = (path: string): Call => ({ method: 'DELETE', path });

/** The ID of a complete object, of the first chunk of a stream, or of the response in the first event of one. */
function createdId(response: CompleteResponse): string | undefined {
  const id = textAt(response.json, 'id');
  if (id !== undefined) return id;
  return /^data: ?\{(?:.{0,100}"response":\{)?"id":"([\w-]{1,100})"/m.exec(response.text)?.[1];
}

async function ignoreErrors(response: Promise<CompleteResponse>): Promise<CompleteResponse | undefined> {
  try {
    return await response;
  } catch {
    return undefined;
  }
}
