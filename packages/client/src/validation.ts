import { InputError, ModelwireError } from '@modelwire/core';
import type { InspectContext, ErrorDetails, TransportOptions } from '@modelwire/core';

/** A field of a response that violates the API. */
export interface InvalidField {
  /** The path, such as `choices[0].message.role`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** Returns the invalid fields of a received value. Unknown fields and unknown enum values are valid. */
export type Validator = (value: unknown, context: Pick<InspectContext, 'route' | 'part'>) => readonly InvalidField[];

export interface ValidationOptions {
  /**
   * Whether responses, the chunks of streams and the lines of batch results are validated by the schemas of `@modelwire/schema`:
   * not at all, with a warning, or with an `InvalidResponseError`. Values are never changed. Default `off`.
   */
  readonly validate?: 'off' | 'warn' | 'throw' | undefined;
  /**
   * The `validator` of `@modelwire/client/validate`. Default: that one, loaded on first use; bundlers do not follow this import, so
   * that a bundle must pass it. It needs zod.
   */
  readonly validator?: Validator | undefined;
  /** With `warn`, called once for each invalid field of an endpoint. Default `console.warn`. */
  readonly onInvalid?: ((error: InvalidResponseError) => void) | undefined;
}

/** A response, a chunk of a stream, or a line of batch results violates the API; `body` is the received value. */
export class InvalidResponseError extends ModelwireError {
  override readonly name = 'InvalidResponseError';
  readonly fields: readonly InvalidField[];

  constructor(
    { route, part }: Pick<InspectContext, 'route' | 'part'>,
    fields: readonly InvalidField[],
    details: ErrorDetails,
  ) {
    const subject = { response: 'The response', event: 'A chunk', line: 'A line' }[part];
    const summary = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
    super(`${subject} of ${route.method} ${route.path} does not match the API: ${summary}.`, details);
    this.fields = fields;
  }
}

/** The transport options that validate what is received. */
export function validationOptions(
  options: ValidationOptions & TransportOptions,
): Pick<TransportOptions, 'inspect' | 'middleware'> {
  const { validate = 'off', validator, onInvalid = warn, middleware = [], inspect } = options;
  if (validate === 'off') return { middleware, inspect };
  let check = validator;
  const reported = new Set<string>();
  return {
    // Loaded before the request is sent, since `inspect` is synchronous.
    middleware: [
      async (request, next) => {
        check ??= await loadValidator();
        return next(request);
      },
      ...middleware,
    ],
    inspect(value, context) {
      inspect?.(value, context);
      const { route, part, details } = context;
      const fields = check?.(value, context) ?? [];
      if (fields.length === 0) return;
      const error = new InvalidResponseError(context, fields, { ...details, body: value });
      if (validate === 'throw') throw error;
      // Each chunk of a stream may have the same problem.
      const before = reported.size;
      for (const { path } of fields)
        reported.add(`${route.method} ${route.path} ${part} ${path.replace(/\[\d+\]/g, '[]')}`);
      if (reported.size > before) onInvalid(error);
    },
  };
}

function warn(error: InvalidResponseError): void {
  console.warn(error.message);
}

async function loadValidator(): Promise<Validator> {
  // Computed so that bundlers do not follow it: only users of validation need zod.
  const entry: string = ['@modelwire/client', 'validate'].join('/');
  try {
    const { validator } = (await import(entry)) as { readonly validator: Validator };
    return validator;
  } catch (cause) {
    throw new InputError(
      'Validation needs zod. Install zod; in a bundle, also pass the `validator` of @modelwire/client/validate.',
      { param: 'validate', cause },
    );
  }
}
