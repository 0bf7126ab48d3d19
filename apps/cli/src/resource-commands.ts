import type { PathParams, Route, Transport } from '@modelwire/core';
import { usageError } from './cli-error.ts';
import { defineCommand } from './command.ts';
import type { Argument, Command, Context, Flags } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { Fields } from './output/printer.ts';
import { waitFlags } from './wait-for.ts';

/** One call of the API on the resource with an ID. */
type ResourceCall<Result> = (
  transport: Transport,
  id: string,
  options: { readonly signal: AbortSignal },
) => Promise<Result>;

interface ResourceDefinition<Resource> {
  /** Name of the argument, such as `file-id`. */
  readonly id: string;
  /** The command that prints the IDs. */
  readonly list: string;
  /** The fields that are printed. */
  readonly fields: (resource: Resource) => Fields;
  readonly completes?: Argument['completes'];
}

/** The commands of one kind of resource that take its ID. An example is a command line without `modelwire`. */
export function defineResource<Resource extends object>({
  id: name,
  list,
  fields,
  completes,
}: ResourceDefinition<Resource>) {
  const argument: Argument = { name, description: `ID from modelwire ${list}`, ...(completes && { completes }) };
  const exampleOf = (what: string, line: string) => [{ what, line: `modelwire ${line}` }];
  return {
    argument,

    /** Runs a command that creates a resource, or changes the one of the first argument, and prints it. */
    send<F extends Flags>(route: Route, bodyOf: (context: Context<F>) => object) {
      return async (context: Context<F>): Promise<undefined> => {
        const { args, transport, print, signal } = context;
        const options = { params: paramsOf(route, args[0] ?? ''), body: bodyOf(context), signal };
        const resource = await (await transport()).request<Resource>(route, options);
        await print.record(resource, fields(resource));
      };
    },

    /** Makes one call on a resource, such as fetching or cancelling it, and prints the resource. */
    call(what: string, example: string, call: ResourceCall<Resource>, description?: string): Command {
      return defineCommand({
        arguments: [argument],
        flags: {},
        ...(description !== undefined && { description }),
        examples: exampleOf(what, example),
        async run({ args: [id = ''], transport, print, signal }) {
          const resource = await call(await transport(), id, { signal });
          await print.record(resource, fields(resource));
        },
      });
    },

    /** Waits until a resource has ended, and prints it. */
    wait(
      what: string,
      example: string,
      wait: (context: Context<typeof waitFlags>, id: string) => Promise<Resource & { readonly status?: string }>,
      description: string,
    ): Command {
      return defineCommand({
        arguments: [argument],
        flags: waitFlags,
        description,
        examples: exampleOf(what, example),
        async run(context) {
          const resource = await wait(context, context.args[0] ?? '');
          await context.print.record(resource, fields(resource));
          return resource.status === 'completed' ? undefined : EXIT.unsuccessful;
        },
      });
    },

    /** Deletes one or more resources, one after the other. */
    delete(what: string, example: string, remove: ResourceCall<{ readonly id: string }>): Command {
      return defineCommand({
        arguments: [{ name, multiple: true, description: `IDs from modelwire ${list}` }],
        flags: {},
        examples: exampleOf(what, example),
        async run({ args, transport, print, signal }) {
          for (const each of args) {
            const deleted = await remove(await transport(), each, { signal });
            if (print.json) await print.value(deleted);
            else print.note(`Deleted ${deleted.id}.`);
          }
        },
      });
    },
  };
}

/** The body of a change. @throws a usage error if it changes nothing. */
export function changesOf<Body extends object>(body: Body, what = 'option'): Body {
  if (Object.keys(body).length === 0) throw usageError(`Specify at least one ${what} to change.`);
  return body;
}

/** A call of an endpoint whose path has one parameter, the ID. */
export function callById<Result>(route: Route): ResourceCall<Result> {
  return (transport, id, options) => transport.request<Result>(route, { ...options, params: paramsOf(route, id) });
}

/** The parameter of the path, if it has one. */
function paramsOf({ path }: Route, id: string): PathParams {
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  return name === undefined ? {} : { [name]: id };
}
