import type * as z from 'zod';

export interface ScriptProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A script is not what it should be. `problems` has each with its path. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  readonly problems: readonly ScriptProblem[];

  constructor(problems: readonly ScriptProblem[], lines: readonly string[] = problems.map(showProblem)) {
    super(
      lines.length === 1 ? (lines[0] ?? '') : `${lines.length} problems:\n${lines.map((one) => `  ${one}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

export function showProblem({ path, message }: ScriptProblem): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`;
}

/** What zod says, in words that name what is there and what may be. */
export function problemsOf(error: z.ZodError): readonly ScriptProblem[] {
  return error.issues.flatMap((issue): readonly ScriptProblem[] => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'there is no such field' }));
  });
}
