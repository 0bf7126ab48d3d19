import type { ResponseInputItem, ResponseItem } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { resolveReferences } from '../../items/resolve-references.ts';
import { toStoredItems } from '../../items/stored-items.ts';
import { projectStores } from '../../media/files/storage.ts';

/** The items of a request as they are stored. @throws a 404 for a reference to an item that is not stored. */
export async function newItems(
  items: readonly ResponseInputItem[],
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<readonly ResponseItem[]> {
  const { responses } = projectStores(call, server);
  const resolved = await resolveReferences(items, { responses, path: 'items', maxLength: server.options.maxBodyBytes });
  return toStoredItems(resolved, server.createId);
}
