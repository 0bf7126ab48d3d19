import { succeeded } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Call } from '../exchange/call.ts';
import { textAt, valueAt } from '../exchange/value.ts';

/** Records what the run creates, so that exactly that is removed. */
export interface Cleanup {
  /** Records the object that a response created. */
  readonly note: (call: Call, answer: Answer) => void;
  /** Removes everything, and returns the names of the objects that it could not remove. */
  run(send: (call: Call) => Promise<Answer>): Promise<readonly string[]>;
}

export function createCleanup(): Cleanup {
  const made = new Map<string, { readonly name: string; readonly calls: readonly Call[] }>();
  const owned = new Set<string>();

  function add(name: string, ...calls: Call[]): void {
    made.set(name, { name, calls });
  }

  function note(call: Call, answer: Answer): void {
    if (!succeeded(answer) || call.method !== 'POST') return;
    const id = idOf(answer);
    if (id === undefined) return;
    const at = encodeURIComponent(id);
    switch (call.path.replace(/^\/(\w+)\/[^/]+\//, '/$1/*/')) {
      case '/chat/completions':
        if (valueAt(call.body, 'store') === true) add(`completion ${id}`, remove(`/chat/completions/${at}`));
        return;
      case '/responses':
        if (valueAt(call.body, 'store') !== false) add(`response ${id}`, remove(`/responses/${at}`));
        return;
      case '/conversations':
        add(`conversation ${id}`, remove(`/conversations/${at}`));
        return;
      case '/files':
        add(`file ${id}`, remove(`/files/${at}`));
        return;
      case '/uploads':
        add(`upload ${id}`, { method: 'POST', path: `/uploads/${at}/cancel` });
        return;
      case '/uploads/*/cancel':
        made.delete(`upload ${id}`);
        return;
      case '/uploads/*/complete': {
        const file = textAt(answer.json, 'file', 'id');
        if (file === undefined) return;
        made.delete(`upload ${id}`);
        add(`file ${file}`, remove(`/files/${encodeURIComponent(file)}`));
        return;
      }
      case '/videos':
      case '/videos/*/remix':
        add(`video ${id}`, remove(`/videos/${at}`));
        return;
      case '/batches':
        owned.add(id);
        add(`batch ${id}`, { method: 'POST', path: `/batches/${at}/cancel` });
        return;
      default:
    }
  }

  return {
    note,
    async run(send) {
      const left: string[] = [];
      // The files of batches are known only after the batch has ended.
      for (const batch of owned) {
        const answer = await quietly(send({ method: 'GET', path: `/batches/${encodeURIComponent(batch)}` }));
        for (const field of ['output_file_id', 'error_file_id']) {
          const file = textAt(answer?.json, field);
          if (file !== undefined) add(`file ${file}`, remove(`/files/${encodeURIComponent(file)}`));
        }
        // Batches cannot be deleted: an ended one stays and does no work.
        if (/^(?:completed|failed|cancelled|cancelling|expired)$/.test(textAt(answer?.json, 'status') ?? '')) {
          made.delete(`batch ${batch}`);
        }
      }
      for (const { name, calls } of [...made.values()]) {
        for (const call of calls) {
          const answer = await quietly(send(call));
          if (answer && (succeeded(answer) || answer.status === 404)) continue;
          // It may not have been stored.
          const path = call.path.replace(/\/cancel$/, '');
          const kept = await quietly(send({ method: 'GET', path }));
          if (!kept || succeeded(kept)) left.push(name);
        }
      }
      made.clear();
      return left;
    },
  };
}

const remove = (path: string): Call => ({ method: 'DELETE', path });

/** The ID of a complete object, of the first chunk of a stream, or of the response in the first event of one. */
function idOf(answer: Answer): string | undefined {
  const whole = textAt(answer.json, 'id');
  if (whole !== undefined) return whole;
  return /^data: ?\{(?:.{0,100}"response":\{)?"id":"([\w-]{1,100})"/m.exec(answer.text)?.[1];
}

async function quietly(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}
