import type { ChildProcess } from 'node:child_process';

/** The address that a server program prints when it listens. Rejects if it ends before. */
export function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
    child.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      const found = /curl (http:\S+?)\/v1\//.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`The server ended: ${output}${errors}`)));
  });
}
