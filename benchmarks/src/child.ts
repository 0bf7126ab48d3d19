import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stderr } from 'node:process';

/** A child process that answers questions, one at a time. */
export interface Child {
  /** Both ends are in this package, so the type of the answer is the one of the other file. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts `file` with `args`. `quiet` discards its output. */
export function spawnChild(file: URL, args: readonly string[], { quiet = false } = {}): Child {
  const process = fork(file, args, { stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'pipe', 'ipc'] });
  process.stderr?.on('data', (bytes: Buffer) => void stderr.write(bytes));
  const exited = once(process, 'exit');
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask<Answer>(question: object): Promise<Answer> {
      const answer = turn.then(async () => {
        if (process.exitCode !== null) throw new Error(`${file.pathname} ${args.join(' ')} is not running`);
        process.send(question);
        const [message] = (await Promise.race([
          once(process, 'message'),
          exited.then(() => Promise.reject(new Error(`${file.pathname} ${args.join(' ')} ended`))),
        ])) as [{ readonly answer?: Answer; readonly error?: string }];
        if (message.error !== undefined) throw new Error(message.error);
        return message.answer as Answer;
      });
      turn = answer.catch(() => undefined);
      return answer;
    },
    async stop() {
      if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
      await exited;
    },
  };
}

/** The child's side: answers the questions of the parent process. */
export function answerParent(answer: (question: unknown) => unknown): void {
  process.on('message', (question) => {
    Promise.resolve()
      .then(() => answer(question))
      .then(
        (given) => process.send?.({ answer: given }),
        (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
      );
  });
  process.on('disconnect', () => process.exit());
}
