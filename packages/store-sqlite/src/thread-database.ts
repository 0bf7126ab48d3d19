import { Worker } from 'node:worker_threads';
import { StoreError } from '@modelwire/store-sql/migrations';
import type { RowsOf, SqlDatabase, Statement } from '@modelwire/store-sql';
import { errorOf } from './failure.ts';
import type { Order, Outcome, Report, Row, SqlCall, ThreadInit } from './protocol.ts';

/** Two threads, so that reads do not wait for commits: one connection writes, the other reads. */
export async function openThreadDatabase(init: Omit<ThreadInit, 'writes'>): Promise<SqlDatabase> {
  const writer = startThread({ ...init, writes: true });
  const reader = startThread({ ...init, writes: false });
  const close = async () => {
    // The one that writes last: it leaves the file without a write-ahead log.
    await reader.close();
    await writer.close();
  };
  try {
    await writer.open();
    await reader.open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async read<Result>(statement: Statement<Result>) {
      const [rows] = await reader.run([statement]);
      return rows as unknown as readonly Result[];
    },
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      // The rows are those of the tables that the statements were written for.
      return (await writer.run(unit)) as unknown as RowsOf<Unit>;
    },
    close,
  };
}

interface Waiting {
  readonly unit: readonly SqlCall[];
  readonly resolve: (rows: readonly (readonly Row[])[]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  open(): Promise<void>;
  run(unit: readonly Statement<unknown>[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** Under `node --watch`, a thread also reports to Node which files it has loaded. */
interface NotOurs {
  readonly type?: undefined;
}

/**
 * A thread and what waits for it. What is asked for in one turn of the event loop goes to it as one batch, and what is asked for
 * while it works as the next one: under load, a commit is shared by all who wait for it.
 */
function startThread(init: ThreadInit): Thread {
  const here = import.meta.url;
  const worker = new Worker(new URL(here.endsWith('.ts') ? './thread.ts' : './thread.js', here), {
    workerData: init,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let opening: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  let queue: Waiting[] = [];
  let running: readonly Waiting[] = [];
  let scheduled = false;
  let closing: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;
  let broken: Error | undefined;

  const send = (order: Order) => worker.postMessage(order);

  function schedule(): void {
    if (scheduled || running.length > 0) return;
    scheduled = true;
    // Keeps the process up as long as somebody waits, and no longer.
    worker.ref();
    setImmediate(() => {
      scheduled = false;
      flush();
    });
  }
  function flush(): void {
    if (queue.length === 0) {
      worker.unref();
      whenIdle?.();
      return;
    }
    running = queue;
    queue = [];
    send({ type: 'run', batch: running.map(({ unit }) => unit) });
  }
  function settle(outcomes: readonly Outcome[]): void {
    const settled = running;
    running = [];
    for (const [index, { resolve, reject }] of settled.entries()) {
      const outcome = outcomes[index];
      if (outcome?.type === 'done') resolve(outcome.rows);
      else reject(outcome ? errorOf(outcome) : new StoreError('the database is not open', { code: 'NOT_OPEN' }));
    }
    flush();
  }
  function fail(error: Error): void {
    broken = error;
    opening?.reject(error);
    for (const { reject } of [...running, ...queue]) reject(error);
    running = queue = [];
    whenIdle?.();
  }

  worker.on('message', (report: Report | NotOurs) => {
    switch (report.type) {
      case undefined:
        break;
      case 'ran':
        settle(report.outcomes);
        break;
      case 'opened':
        opening?.resolve();
        break;
      default:
        opening?.reject(errorOf(report));
    }
  });
  worker.on('error', (error) =>
    fail(new StoreError(error instanceof Error ? error.message : String(error), { code: 'THREAD' })),
  );
  void gone.then(() => fail(new StoreError('the store is closed', { code: 'CLOSED' })));

  return {
    async open() {
      await new Promise<void>((resolve, reject) => {
        opening = { resolve, reject };
        send({ type: 'open' });
      });
      worker.unref();
    },
    run(unit) {
      if (broken || closing) return Promise.reject(broken ?? new StoreError('the store is closed', { code: 'CLOSED' }));
      return new Promise((resolve, reject) => {
        queue.push({
          unit: unit.map(({ sql, parameters, expected }) => ({ sql, parameters, expected })),
          resolve,
          reject,
        });
        schedule();
      });
    },
    close: () => (closing ??= finish()),
  };

  async function finish(): Promise<void> {
    if (queue.length > 0 || running.length > 0) {
      await new Promise<void>((resolve) => (whenIdle = resolve));
    }
    worker.ref();
    if (!broken) send({ type: 'close' });
    await gone;
  }
}
