import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in microseconds of each thread of a process and of its child processes, since their start. Linux only. */
export function threadTimes(pid: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const id of [pid, ...childrenOf(pid)]) {
    for (const thread of readdirSync(`/proc/${id}/task`)) {
      const [, , ...fields] = statOf(`/proc/${id}/task/${thread}/stat`);
      // `utime` and `stime`, in hundredths of a second.
      times.set(`${id}/${thread}`, (Number(fields[11]) + Number(fields[12])) * 10_000);
    }
  }
  return times;
}

function childrenOf(pid: number): string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === String(pid));
}

function parentOf(pid: string): string | undefined {
  try {
    return statOf(`/proc/${pid}/stat`)[3];
  } catch {
    // It has ended.
    return undefined;
  }
}

/** The fields of proc_pid_stat(5). The name, the second, may contain spaces and parentheses. */
function statOf(path: string): readonly string[] {
  const text = readFileSync(path, 'latin1');
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return [
    text.slice(0, open).trim(),
    text.slice(open + 1, close),
    ...text
      .slice(close + 1)
      .trim()
      .split(' '),
  ];
}
