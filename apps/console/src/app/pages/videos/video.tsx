import type { Video } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isPermitted } from '../../api/permissions.ts';
import { isRendering, videoContentURL, videoQuery } from '../../api/videos.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';
import { useVideoCreation } from './use-video-creation.ts';

/** One video: progress, player, download, remix. */
export const VideoPage: React.FunctionComponent = createDetailPage('videos', videoQuery, Detail);

function Detail({ entry: video }: DetailProps<Video>) {
  const session = useSession();
  const deletion = useDeletion('videos', videoQuery(video.id).queryKey, () => api.videos.delete(video.id));
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
          <DeleteButton
            kind="video"
            text="A video that is being rendered is stopped. It cannot be restored."
            deletion={deletion}
          />
        )}
      </PageHeader>
      {deletion.error !== null && <ErrorNotice title="The video was not deleted." error={deletion.error} />}
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
      <DescriptionList
        entries={[
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

/** The chain of videos from which a remix was created, nearest first. */
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

/** Maximum number of videos shown of a chain. */
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
  const [prompt, setPrompt] = useState(video.prompt ?? '');
  const remix = useVideoCreation(() => api.videos.remix(video.id, { prompt }));
  return (
    <FormCard className="card stack" title="Remix" submission={remix} errorTitle="The remix was not created.">
      <label className="field">
        Changed prompt
        <textarea rows={2} required value={prompt} onChange={(event) => setPrompt(event.target.value)} />
      </label>
      <div className="actions">
        <button type="submit" className="primary" disabled={remix.isPending || prompt === ''}>
          Create remix
        </button>
      </div>
    </FormCard>
  );
}
