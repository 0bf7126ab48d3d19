import type { RoutingOptions } from '@modelwire/engine-upstream';
import type { Logger } from 'pino';

/** Logs which upstreams are slow, and at the level `debug` why requests do not go to the upstream of their key. */
export function createRoutingLog(
  logger: Pick<Logger, 'debug' | 'info' | 'warn'>,
): Required<Pick<RoutingOptions, 'onDeviation' | 'onSlowChange'>> {
  return {
    onDeviation: (deviation) => logger.debug(deviation, 'a request does not go to the upstream of its key'),
    onSlowChange({ isSlow, ...fields }) {
      if (isSlow) logger.warn(fields, 'an upstream is slower than its peers and gets fewer requests');
      else logger.info(fields, 'an upstream is no longer slower than its peers');
    },
  };
}
