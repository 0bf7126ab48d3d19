export { routeEngines } from './route-engines.ts';
export type { RoutedEngine, RouteEnginesOptions } from './route-engines.ts';
export type { RoutingPolicy } from './attempt-order.ts';
export type { RoutingOptions } from './route.ts';
