import type { Transport } from '@modelwire/core';
import { defineCommand } from './command.ts';
import type { Command } from './command.ts';
import type { Fields } from './output/printer.ts';

interface ResourceOptions {
  /** Name of the argument, such as `file-id`. */
  readonly id: string;
  /** The command that lists the ids. */
  readonly list: string;
  /** Command line of the example, without `modelwire`. */
  readonly example: string;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/** A command that fetches one resource by its id and prints it. */
export function getCommand<Resource>(
  what: string,
  { id: name, list, example }: ResourceOptions,
  retrieve: (transport: Transport, id: string, options: CallOptions) => Promise<Resource>,
  fields: (resource: Resource) => Fields,
): Command {
  return defineCommand({
    arguments: [{ name, description: `ID from modelwire ${list}`, ...(name === 'model-id' && { completes: 'model' }) }],
    flags: {},
    examples: [{ what, line: `modelwire ${example}` }],
    async run({ args: [id = ''], transport, print, signal }) {
      const resource = await retrieve(await transport(), id, { signal });
      await print.record(resource, fields(resource));
    },
  });
}

/** A command that deletes one or more resources, one after the other. */
export function deleteCommand(
  what: string,
  { id: name, list, example }: ResourceOptions,
  remove: (transport: Transport, id: string, options: CallOptions) => Promise<{ readonly id: string }>,
): Command {
  return defineCommand({
    arguments: [{ name, multiple: true, description: `IDs from modelwire ${list}` }],
    flags: {},
    examples: [{ what, line: `modelwire ${example}` }],
    async run({ args, transport, print, signal }) {
      for (const each of args) {
        const deleted = await remove(await transport(), each, { signal });
        if (print.json) await print.value(deleted);
        else print.note(`Deleted ${deleted.id}.`);
      }
    },
  });
}
