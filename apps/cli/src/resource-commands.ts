import type { Command } from '@commander-js/extra-typings';
import type { App } from './app.ts';
import { usageError } from './cli-error.ts';
import type { Client } from './connection.ts';
import { EXIT } from './exit-codes.ts';
import type { Fields } from './output/printer.ts';
import { subcommand } from './subcommand.ts';
import type { Examples } from './subcommand.ts';

/** One call of the API on the resource with an ID. */
type ResourceCall<Result> = (
  client: Client,
  id: string,
  options: { readonly signal: AbortSignal },
) => PromiseLike<Result>;

interface ResourceDefinition<Resource> {
  /** Name of the argument, such as `file-id`. */
  readonly id: string;
  /** An ID for the examples. */
  readonly example: string;
  /** The fields that are printed. */
  readonly fields: (resource: Resource) => Fields;
  /** The command that prints the IDs. Default: `list` of the group. */
  readonly listedBy?: string;
}

/** The commands of a group that take the ID of a resource. */
export function resourceCommands<Resource extends object>(
  group: Command,
  app: App,
  { id, example, fields, listedBy = `${group.name()} list` }: ResourceDefinition<Resource>,
) {
  const { print, signal } = app;
  const exampleOf = (name: string, summary: string): Examples => ({
    [summary]: `modelwire ${group.name()} ${name} ${example}`,
  });
  /** A command with the ID as its first argument. */
  const withId = (name: string, summary: string, examples = exampleOf(name, summary)) =>
    subcommand(group, name, summary, examples).argument(`<${id}>`, `ID from modelwire ${listedBy}`);

  const printResource = (resource: Resource): Promise<void> => print.record(resource, fields(resource));

  return {
    withId,
    print: printResource,

    /** Prints the resource that a call on it returns, such as fetching or cancelling it. */
    call(name: string, summary: string, call: ResourceCall<Resource>) {
      return withId(name, summary).action(async (given) => {
        await printResource(await call(await app.client(), given, { signal }));
      });
    },

    /** Deletes resources one after the other. */
    delete(summary: string, remove: ResourceCall<{ readonly id: string }>, examples = exampleOf('delete', summary)) {
      return subcommand(group, 'delete', summary, examples)
        .argument(`<${id}...>`, `IDs from modelwire ${listedBy}`)
        .action(async (ids) => {
          for (const each of ids) {
            const deleted = await remove(await app.client(), each, { signal });
            await print.done(deleted, `Deleted ${deleted.id}.`);
          }
        });
    },

    /** Prints a resource, and fails if its work has ended in another status than `completed`. */
    async printEnded(resource: Resource & { readonly status?: string }): Promise<void> {
      await printResource(resource);
      if (resource.status !== 'completed') app.exitCode = EXIT.unsuccessful;
    },
  };
}

/** The body of a change. @throws a usage error if it changes nothing. */
export function changesOf<Body extends object>(body: Body, what = 'option'): Body {
  if (Object.values(body).every((value) => value === undefined)) {
    throw usageError(`Specify at least one ${what} to change.`);
  }
  return body;
}
