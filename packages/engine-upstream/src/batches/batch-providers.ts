import type { BatchProvider } from '@modelwire/ports';
import type { Route, RoutedTarget } from '../routing/route.ts';
import { createBatchApi } from './batch-api.ts';

const forwards = ({ server }: RoutedTarget): boolean => server.settings.forwardsBatches;

/** The upstreams of a model that take batches. */
export function batchProviders({ shared, fallback }: Route): readonly BatchProvider[] {
  const hasOwnCapacity = shared.some((target) => !forwards(target));
  return [...shared, ...fallback]
    .filter(forwards)
    .map(({ server }) => ({ upstream: server.settings.name, hasOwnCapacity, ...createBatchApi(server) }));
}

/** The upstreams for lines that no provider runs as a batch: where there are others, without those that take batches. */
export function ownRoute(route: Route): Route {
  const shared = route.shared.filter((target) => !forwards(target));
  return shared.length === 0 ? route : { ...route, shared, fallback: route.fallback.filter((one) => !forwards(one)) };
}
