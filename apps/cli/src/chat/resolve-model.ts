import type { App } from '../app.ts';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';

/** The model from the option or the settings, otherwise the first model of the server. */
export async function resolveModel({ settings, client, signal }: App, option: string | undefined): Promise<string> {
  const configured = option ?? (await settings()).model?.value;
  if (configured !== undefined) return configured;
  const { data } = await (await client()).models.list({ signal });
  const [first] = data;
  if (first !== undefined) return first.id;
  throw new CliError(
    EXIT.rejected,
    'The server lists no models.',
    'Specify a model with --model, or store one in a profile.',
  );
}
