import type { ServerContext } from '../../context.ts';
import type { Principal, BlobLedger, Blobs, ProjectStores } from '@modelwire/ports';

/** The blob storage. */
export function blobStorage({ options }: Pick<ServerContext, 'options'>): {
  readonly blobs: Blobs;
  readonly ledger: BlobLedger;
} {
  const { blobs, stores } = options;
  if (!blobs || !stores) throw new Error('served without blobs');
  return { blobs, ledger: stores.ledger };
}

/** The stores of the client's project. */
export function projectStores(
  { principal }: { readonly principal: Principal },
  { options }: Pick<ServerContext, 'options'>,
): ProjectStores {
  if (!options.stores) throw new Error('served without stores');
  return options.stores.project(principal.project);
}
