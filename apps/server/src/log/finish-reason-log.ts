import type { UpstreamOptions } from '@modelwire/engine-upstream';
import type { Logger } from 'pino';

/** Maximum number of different finish reasons that are logged: they come from outside. */
const maxReasons = 100;

/** Logs each unknown finish reason of each upstream once. */
export function createFinishReasonLog(
  logger: Pick<Logger, 'warn'>,
): NonNullable<UpstreamOptions['onUnknownFinishReason']> {
  const logged = new Set<string>();
  return (upstream, reason) => {
    const key = `${upstream} ${reason}`;
    if (logged.has(key) || logged.size >= maxReasons) return;
    logged.add(key);
    logger.warn(
      { upstream, finishReason: reason },
      'an upstream sent an unknown finish reason, which is taken for stop',
    );
  };
}
