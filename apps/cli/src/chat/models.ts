import type { Transport } from '@modelwire/core';
import { Failure } from '../failure.ts';
import { EXIT } from '../exit-codes.ts';
import type { Settings } from '../config/settings.ts';

/** The model that was asked for, or the first that the server lists. */
export async function modelOf(
  asked: string | undefined,
  { model }: Settings,
  transport: Transport,
  signal: AbortSignal,
): Promise<string> {
  const known = asked ?? model?.value;
  if (known !== undefined) return known;
  const { createModels } = await import('@modelwire/models');
  const { data } = await createModels(transport).list({ signal });
  const [first] = data;
  if (first === undefined) {
    throw new Failure(EXIT.refused, 'The server lists no model', 'Name one with --model, or in a profile.');
  }
  return first.id;
}
