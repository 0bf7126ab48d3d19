// The entry point of a worker process: see `startWorkers`.
import cluster from 'node:cluster';
import { ConfigError } from '../config/config-error.ts';
import { releaseStartupMemory } from '../start/release-startup-memory.ts';
import { sealObjectPrototype } from '../start/seal-object-prototype.ts';
import { startInProcess } from '../start/start.ts';
import type { RunningServer } from '../start/start.ts';
import { createConnection } from './connection.ts';
import type { Message } from './connection.ts';
import type { PrimaryMethods, WorkerMethods } from './protocol.ts';
import { createWorkerContext } from './worker-context.ts';
import type { CreatedWorkerContext } from './worker-context.ts';

sealObjectPrototype();
// A terminal and a supervisor signal the whole group: the primary stops its workers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

// The primary process has exited.
cluster.worker?.on('error', () => process.exit(1));

let running: RunningServer | undefined;
let created: CreatedWorkerContext | undefined;

const methods: WorkerMethods = {
  accessChanged: () => created?.methods.accessChanged(null),
  jobQueued: () => created?.methods.jobQueued(null),
  reclaimSlots: (engine) => created?.methods.reclaimSlots(engine),
  keepSlots: (engine) => created?.methods.keepSlots(engine),
  metrics: async () => (await created?.methods.metrics(null)) ?? [],
  stats: () => created?.methods.stats(null) ?? { requestsInFlight: 0, engines: [] },
  stop() {
    void (running?.stop() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  },
};

const primary = createConnection<PrimaryMethods>({
  methods: { ...methods },
  send: (messages) =>
    new Promise((resolve, reject) => {
      process.send?.(messages, undefined, {}, (error) => (error ? reject(error) : resolve()));
    }),
  onSendFailure: () => process.exit(1),
});
process.on('message', (messages: readonly Message[]) => primary.receive(messages));

try {
  const init = await primary.call('begin', null);
  created = createWorkerContext(init, primary);
  await primary.call('ready', null);
  running = await startInProcess(init.settings, { worker: created.context });
  const { url, consoleUrl, keys, models, unjudgedCategories } = running;
  const { from, created: createdKey, file, count, shortKeys } = keys;
  primary.notify('started', {
    url,
    consoleUrl,
    keys: { from, created: createdKey, file, count, shortKeys },
    modelIds: models().map(({ id }) => id),
    unjudgedCategories,
  });
  releaseStartupMemory();
} catch (error) {
  const isConfigError = error instanceof ConfigError;
  const message = error instanceof Error ? (!isConfigError && error.stack) || error.message : String(error);
  primary.notify('failed', { message, isConfigError });
  await primary.flush();
  process.exit(1);
}
