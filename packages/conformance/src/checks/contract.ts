import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import type { Check } from '../check.ts';
import { validCalls } from '../context/calls.ts';
import { responseFormatChecks } from './contract/response-format.ts';
import { fieldChecks } from './contract/fields.ts';
import { methodChecks, refusalChecks } from './contract/refusals.ts';
import { requestChecks } from './contract/requests.ts';

/** Checks derived from the contract, for every endpoint. */
export function contractChecks(): readonly Check[] {
  return endpointIds.flatMap((id) => [
    ...responseFormatChecks(id),
    ...fieldChecks(id),
    ...methodChecks(id),
    // The other rules for requests and errors are those of the API of the document.
    ...(contract[id].dialect ? [] : [...requestChecks(id), ...refusalChecks(id)]),
  ]);
}

/** The endpoints with a valid request in `calls.ts`. */
const endpointIds: readonly EndpointId[] = Object.values(contract)
  .map(({ id }) => id)
  .filter((id) => Object.hasOwn(validCalls, id));
