// Runs in a separate thread, so that disk access does not block streams.
import { parentPort, workerData } from 'node:worker_threads';
import { readingRunner, writingRunner } from './batch.ts';
import type { BatchRunner } from './batch.ts';
import { openConnection } from '../file/connection.ts';
import { failureOf } from '../file/failure.ts';
import type { ThreadCommand, ThreadReport, ThreadInit } from './protocol.ts';
import { openReserve, withReserve } from '../file/reserve.ts';

const port = parentPort;
if (!port) throw new Error('This module must run in a worker thread.');
// Sent by `thread-database.ts`.
const init = workerData as ThreadInit;
const reply = (message: ThreadReport) => port.postMessage(message);

let run: BatchRunner | undefined;
let close = () => {};

port.on('message', (command: ThreadCommand) => {
  if (command.type === 'run') {
    reply({ type: 'ran', outcomes: run?.(command.batch) ?? [] });
  } else if (command.type === 'open') {
    try {
      const db = openConnection(init);
      run = init.writes ? withReserve(writingRunner(db), openReserve(`${init.path}-reserve`)) : readingRunner(db);
      close = () => db.close();
      reply({ type: 'opened' });
    } catch (error) {
      reply(failureOf(error));
    }
  } else {
    close();
    port.close();
  }
});
