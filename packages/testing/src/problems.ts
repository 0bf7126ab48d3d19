import type * as z from 'zod';

export interface ScriptProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A script is invalid. `problems` has each problem with its path. */
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
  const formattedPath = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return formattedPath === '' ? message : `${formattedPath.replace(/^\./, '')}: ${message}`;
}

/** Converts zod issues to problems. */
export function problemsOf(error: z.ZodError): readonly ScriptProblem[] {
  return error.issues.flatMap((issue): readonly ScriptProblem[] => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'unknown field' }));
  });
}
