import type { Video } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isPermitted } from '../../api/permissions.ts';
import { isRendering, videoContentURL, videoQuery } from '../../api/videos.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactGrid } from '../../components/fact-grid.tsx';
import { formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { useSession } from '../../shell/session-context.ts';

const route = getRouteApi('/videos/$id');

/** One video: progress, player, download, remix. */
export function VideoPage() {
  const { id } = route.useParams();
  const { data, error, isPending, refetch } = useQuery(videoQuery(id));
  return (
    <>
      <p>
        <Link to="/videos">Videos</Link>
      </p>
      {isPending && <p className="loading">Loading…</p>}
      {error !== null && (
        <ErrorNotice title="The video could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && <Detail key={data.id} video={data} />}
    </>
  );
}

function Detail({ video }: { readonly video: Video }) {
  const session = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => api.videos.delete(video.id),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: ['video', video.id] });
      await queryClient.resetQueries({ queryKey: ['videos'] });
      await navigate({ to: '/videos' });
    },
  });
  const isCompleted = video.status === 'completed';
  return (
    <>
      <PageHeader title="Video">
        {isCompleted && (
          <a className="button small" href={videoContentURL(video.id, 'video')} download={`${video.id}.mp4`}>
            Download
          </a>
        )}
        {isPermitted(session, 'write') && (
          <ConfirmButton
            label="Delete"
            title="Delete this video?"
            text="A video that is being rendered is stopped. It cannot be restored."
            confirmLabel="Delete video"
            disabled={removal.isPending}
            onConfirm={() => removal.mutate()}
          />
        )}
      </PageHeader>
      {removal.error !== null && <ErrorNotice title="The video was not deleted." error={removal.error} />}
      <p className="prompt" dir="auto">
        {video.prompt}
      </p>
      {isRendering(video) && (
        <section className="card" aria-label="Progress">
          <p role="status">
            {video.status === 'queued' ? 'Queued' : 'Rendering'}, {video.progress} %
          </p>
          <progress aria-label="Rendered" max={100} value={video.progress} />
        </section>
      )}
      {video.status === 'failed' && (
        <div className="notice error" role="alert">
          <strong>The video failed.</strong>
          <p className="message">{video.error?.message ?? 'The server gave no reason.'}</p>
          {video.error && (
            <p>
              Code: <code>{video.error.code}</code>
            </p>
          )}
        </div>
      )}
      {isCompleted && (
        <video
          className="player"
          controls
          src={videoContentURL(video.id, 'video')}
          poster={videoContentURL(video.id, 'thumbnail')}
        />
      )}
      <FactGrid
        facts={[
          ['ID', <code key="id">{video.id}</code>],
          ['Model', video.model],
          ['Size', video.size],
          ['Seconds', video.seconds],
          ['Created', formatTime(video.created_at)],
          ['Expires', video.expires_at ? formatTime(video.expires_at) : 'never'],
        ]}
      />
      {video.remixed_from_video_id && <Origins id={video.remixed_from_video_id} />}
      {isCompleted && isPermitted(session, 'infer') && <Remix video={video} />}
    </>
  );
}

/** The chain of videos that a remix was made from, nearest first. */
function Origins({ id }: { readonly id: string }) {
  return (
    <section className="card" aria-label="Remixed from">
      <h2>Remixed from</h2>
      <ol>
        <Origin id={id} depth={0} />
      </ol>
    </section>
  );
}

/** Longer chains are followed by opening their videos. */
const maxShownOrigins = 10;

function Origin({ id, depth }: { readonly id: string; readonly depth: number }) {
  const { data } = useQuery(videoQuery(id));
  const next = data?.remixed_from_video_id;
  return (
    <>
      <li>
        <Link to="/videos/$id" params={{ id }}>
          <bdi>{data?.prompt ?? id}</bdi>
        </Link>
      </li>
      {next && depth < maxShownOrigins && <Origin id={next} depth={depth + 1} />}
    </>
  );
}

function Remix({ video }: { readonly video: Video }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [prompt, setPrompt] = useState(video.prompt ?? '');
  const remix = useMutation({
    mutationFn: () => api.videos.remix(video.id, { prompt }),
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['videos'] });
      await navigate({ to: '/videos/$id', params: { id } });
    },
  });
  return (
    <form
      className="card stack"
      aria-label="Remix"
      onSubmit={(event) => {
        event.preventDefault();
        remix.mutate();
      }}
    >
      <h2>Remix</h2>
      <label className="field">
        Changed prompt
        <textarea rows={2} required value={prompt} onChange={(event) => setPrompt(event.target.value)} />
      </label>
      {remix.error !== null && <ErrorNotice title="The remix was not created." error={remix.error} />}
      <div className="actions">
        <button type="submit" className="primary" disabled={remix.isPending || prompt === ''}>
          Create remix
        </button>
      </div>
    </form>
  );
}
