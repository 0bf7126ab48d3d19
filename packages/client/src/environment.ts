/** An environment variable, trimmed; `undefined` if it is empty or there is no environment (browsers, Workers). */
export function environmentVariable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
    const value = process?.env?.[name]?.trim();
    return value === '' ? undefined : value;
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
}
