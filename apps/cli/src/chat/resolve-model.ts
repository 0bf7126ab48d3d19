import type { Transport } from '@modelwire/core';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Settings } from '../config/settings.ts';

/** The model from the option or the settings, otherwise the first model of the server. */
export async function resolveModel(
  option: string | undefined,
  { model }: Settings,
  transport: Transport,
  signal: AbortSignal,
): Promise<string> {
  const configured = option ?? model?.value;
  if (configured !== undefined) return configured;
  const { createModels } = await import('@modelwire/models');
  const { data } = await createModels(transport).list({ signal });
  const [first] = data;
  if (first === undefined) {
    throw new CliError(
      EXIT.rejected,
      'The server lists no models.',
      'Specify a model with --model, or store one in a profile.',
    );
  }
  return first.id;
}
