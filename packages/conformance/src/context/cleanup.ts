import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import type { Call } from '../exchange/call.ts';
import { parseJson } from '../exchange/parse-json.ts';
import { textAt, valueAt } from '../exchange/value.ts';

/** An object on the server that a run created, and the request that removes it. */
export interface CreatedObject {
  /** `file file-123`. */
  readonly name: string;
  readonly method: 'DELETE' | 'POST';
  /** Relative to the base URL. */
  readonly path: string;
}

/** Records what the run creates, so that exactly that is removed. */
export interface Cleanup {
  /** Records the object that a response created. */
  readonly record: (call: Call, response: CompleteResponse) => void;
  /** Removes everything, and returns the names of the objects that it could not remove. */
  run(send: (call: Call) => Promise<CompleteResponse>): Promise<readonly string[]>;
}

/** `onCreated` is called with each object that is recorded, so that a killed run leaves a record; `known` are objects of such a run. */
export function createCleanup(
  onCreated: (object: CreatedObject) => void,
  known: readonly CreatedObject[] = [],
): Cleanup {
  const created = new Map(known.map((object) => [object.name, object]));

  function add(name: string, { method, path }: Omit<CreatedObject, 'name'>): void {
    const object = { name, method, path };
    created.set(name, object);
    onCreated(object);
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
        add(`batch ${id}`, { method: 'POST', path: `/batches/${encodedId}/cancel` });
        return;
      default:
    }
  }

  return {
    record: note,
    async run(send) {
      const isBatch = ({ name }: CreatedObject): boolean => name.startsWith('batch ');
      const batches = [...created.values()].filter(isBatch);
      const ending = Promise.all(batches.map(async ({ name, path }) => ({ name, ended: await endBatch(path, send) })));
      await removeAll([...created.values()].filter((object) => !isBatch(object)));
      for (const { name, ended } of await ending) {
        for (const field of ['output_file_id', 'error_file_id']) {
          const file = textAt(ended?.json, field);
          if (file !== undefined) add(`file ${file}`, remove(`/files/${encodeURIComponent(file)}`));
        }
        // Batches cannot be deleted: an ended one stays and does no work.
        if (/^(?:completed|failed|cancelled|cancelling|expired)$/.test(textAt(ended?.json, 'status') ?? '')) {
          created.delete(name);
        }
      }
      // What a running batch uses is tried again.
      await removeAll([...created.values()]);
      const notRemoved = [...created.keys()];
      created.clear();
      return notRemoved;

      async function removeAll(objects: readonly CreatedObject[]): Promise<void> {
        for (const { name, method, path } of objects) {
          const response = await ignoreErrors(send({ method, path }));
          if ((response && (isSuccess(response) || response.status === 404)) || (await isAbsent(path, send))) {
            created.delete(name);
          }
        }
      }
    },
  };
}

/** Whether an object is gone, or was never stored. */
async function isAbsent(path: string, send: (call: Call) => Promise<CompleteResponse>): Promise<boolean> {
  const retrieved = await ignoreErrors(send({ method: 'GET', path: path.replace(/\/cancel$/, '') }));
  return retrieved !== undefined && !isSuccess(retrieved);
}

const POLLS = 50;
const POLL_MS = 100;

/** Cancels a batch that runs, and waits until it has ended, since its files are known only then. */
async function endBatch(
  cancelPath: string,
  send: (call: Call) => Promise<CompleteResponse>,
): Promise<CompleteResponse | undefined> {
  const path = cancelPath.replace(/\/cancel$/, '');
  for (let polls = 0; ; polls++) {
    const response = await ignoreErrors(send({ method: 'GET', path }));
    const status = textAt(response?.json, 'status') ?? '';
    if (!/^(?:validating|in_progress|finalizing|cancelling)$/.test(status) || polls === POLLS) return response;
    if (polls === 0 && status !== 'cancelling') await ignoreErrors(send({ method: 'POST', path: cancelPath }));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const remove = (path: string) => ({ method: 'DELETE', path }) as const;

/** The ID of a complete object, of the first chunk of a stream, or of the response in the first event of one. */
function createdId({ json, text }: CompleteResponse): string | undefined {
  const object = json ?? parseJson(/^data: ?(\{.*)$/m.exec(text)?.[1] ?? '');
  return textAt(object, 'id') ?? textAt(object, 'response', 'id');
}

async function ignoreErrors(response: Promise<CompleteResponse>): Promise<CompleteResponse | undefined> {
  try {
    return await response;
  } catch {
    return undefined;
  }
}
