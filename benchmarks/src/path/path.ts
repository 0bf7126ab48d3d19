/** The path of a request: its functions in the order of their first calls. */
export interface Path {
  /** Number of files of which a function was called. */
  readonly files: number;
  /** How often the path comes back to a file that it has left. */
  readonly returns: number;
  /** The stretches of the path within one file, in order. */
  readonly stretches: readonly { readonly file: string; readonly functions: readonly string[] }[];
}

/** @param calls `<file>:<line> <function>`, each once. */
export function pathOf(calls: readonly string[]): Path {
  const stretches: { file: string; functions: string[] }[] = [];
  for (const call of calls) {
    const file = call.slice(0, call.indexOf(':'));
    const last = stretches.at(-1);
    if (last?.file === file) last.functions.push(call);
    else stretches.push({ file, functions: [call] });
  }
  const files = new Set(stretches.map(({ file }) => file)).size;
  return { files, returns: stretches.length - files, stretches };
}
