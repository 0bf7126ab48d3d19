import type { ServerStatus } from '@modelwire/server/internal';
import { formatTime } from './format.ts';
import { RelativeTime } from './relative-time.tsx';

interface Props {
  readonly upstream: Pick<ServerStatus['upstreams'][number], 'status' | 'last_error'>;
}

/** The last error of an upstream: when it began if it lasts, otherwise when it was seen last. */
export function UpstreamError({ upstream: { status, last_error: error } }: Props) {
  if (error === null) return null;
  const isOver = status === 'available';
  return (
    <span className="note detail">
      {error.message},{' '}
      {isOver ? (
        <>
          last seen <RelativeTime seconds={error.at} />
        </>
      ) : (
        `since ${formatTime(error.since)}`
      )}
    </span>
  );
}
