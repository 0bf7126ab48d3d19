import type { LoggedRequest } from '@modelwire/client';
import type { RecentErrorList } from '@modelwire/server/internal';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../api/names.ts';
import { errorsQuery } from '../../api/usage.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatDuration, formatNumber, formatTime } from '../../components/format.ts';
import { NamedId } from '../../components/named-id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatCost, Status } from './columns.tsx';

/** A request of the request log: its figures, without its content. */
export function RequestDetail({ request }: { readonly request: LoggedRequest }) {
  const { usage, first_token_ms: firstTokenMs, batch_id: batch, response_id: response } = request;
  const { nameOf } = useNames();
  const recentErrors = useQuery({
    ...errorsQuery({ project: '', key: '', model: '' }),
    enabled: request.error_code !== null,
    refetchInterval: false,
  });
  const failure = recentErrors.data?.errors.find(({ request_id }) => request_id === request.id);
  return (
    <>
      <PageHeader
        title={<bdi>{request.endpoint}</bdi>}
        subtitle={
          <>
            <RelativeTime seconds={request.created_at} /> <Status status={request.outcome} />
          </>
        }
      />
      <DescriptionList
        entries={[
          ...(request.error_code === null ? [] : errorEntries(request, failure)),
          ['Model', request.model ?? '–'],
          ['Duration', formatDuration(request.duration_ms)],
          ['First token', firstTokenMs === null ? '–' : formatDuration(firstTokenMs)],
          ['Cost', formatCost(usage === null ? undefined : request.cost)],
          ['Input tokens', formatNumber(usage?.input_tokens)],
          ['Cached tokens', formatNumber(usage?.input_cached_tokens)],
          ['Output tokens', formatNumber(usage?.output_tokens)],
          ['Status', request.status === 0 ? '–' : request.status],
          ['Streamed', request.stream ? 'yes' : 'no'],
          ['Key', <NamedId key="key" id={request.api_key_id} name={nameOf(request.api_key_id)} />],
          ['Project', <NamedId key="project" id={request.project_id} name={nameOf(request.project_id)} />],
          [
            'Batch',
            batch === null ? (
              '–'
            ) : (
              <Link key="batch" to="/batches/$id" params={{ id: batch }}>
                Show
              </Link>
            ),
          ],
          ['Received', formatTime(request.created_at)],
          ['Request ID', <NamedId key="id" id={request.id} />],
        ]}
      />
      <section className="card" aria-label="Content">
        <h2>The content was not kept</h2>
        <p className="note">
          {response === null ? (
            <>
              The request log keeps only the figures of a request. Completions that are created with{' '}
              <code>store: true</code> are kept with their messages.
            </>
          ) : (
            <>
              The request log keeps only the figures of a request. The response was stored: the API returns it at{' '}
              <code>/v1/responses/{response}</code>.
            </>
          )}
        </p>
      </section>
    </>
  );
}

type Failure = RecentErrorList['errors'][number];

/** The error of a request. @param failure Its entry among the recent errors, unless it is too old. */
function errorEntries({ error_code: code }: LoggedRequest, failure: Failure | undefined) {
  const causes = [
    failure?.param && `parameter ${failure.param}`,
    failure?.upstream_failure && `upstream ${failure.upstream_failure}`,
  ].filter(Boolean);
  return [
    ['Error', <code key="error">{code}</code>],
    ...(causes.length > 0 ? [['Cause', causes.join(', ')] as const] : []),
  ] as const;
}
