import type { Transport } from '@modelwire/core';
import { defineCommand } from './command.ts';
import type { Command, Context } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { Fields } from './output/printer.ts';
import { waitFlags } from './wait-for.ts';

interface ResourceOptions {
  /** Name of the argument, such as `file-id`. */
  readonly id: string;
  /** The command that lists the IDs. */
  readonly list: string;
  /** Command line of the example, without `modelwire`. */
  readonly example: string;
  readonly description?: string;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/** A command that makes one call on a resource, such as fetching or cancelling it, and prints the resource. */
export function resourceCommand<Resource>(
  what: string,
  { id: name, list, example, description }: ResourceOptions,
  call: (transport: Transport, id: string, options: CallOptions) => Promise<Resource>,
  fields: (resource: Resource) => Fields,
): Command {
  return defineCommand({
    arguments: [{ name, description: `ID from modelwire ${list}`, ...(name === 'model-id' && { completes: 'model' }) }],
    flags: {},
    ...(description !== undefined && { description }),
    examples: [{ what, line: `modelwire ${example}` }],
    async run({ args: [id = ''], transport, print, signal }) {
      const resource = await call(await transport(), id, { signal });
      await print.record(resource, fields(resource));
    },
  });
}

/** A command that waits until a resource has ended, and prints it. */
export function waitCommand<Resource extends { readonly status?: string }>(
  what: string,
  { id: name, list, example, description }: ResourceOptions & { readonly description: string },
  wait: (context: Context<typeof waitFlags>, id: string) => Promise<Resource>,
  fields: (resource: Resource) => Fields,
): Command {
  return defineCommand({
    arguments: [{ name, description: `ID from modelwire ${list}` }],
    flags: waitFlags,
    description,
    examples: [{ what, line: `modelwire ${example}` }],
    async run(context) {
      const resource = await wait(context, context.args[0] ?? '');
      await context.print.record(resource, fields(resource));
      return resource.status === 'completed' ? undefined : EXIT.unsuccessful;
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
