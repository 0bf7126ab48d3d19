/** A variable of the environment; an empty one is none, and so is any where there is no environment (browsers, Workers). */
export function fromEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
    const value = process?.env?.[name]?.trim();
    return value === '' ? undefined : value;
  } catch {
    // Deno without leave to read it.
    return undefined;
  }
}
