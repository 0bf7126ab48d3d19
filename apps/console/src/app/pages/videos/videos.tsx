import { Progress } from '@mantine/core';
import type { Video } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { isPermitted } from '../../api/permissions.ts';
import { videoContentURL, videosQuery } from '../../api/videos.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useSession } from '../../shell/session-context.ts';
import { CreateFromFile } from './create-from-file.tsx';
import { CreateVideo } from './create-video.tsx';

/** A gallery of the videos, and the forms for a new one. */
export function Videos() {
  const session = useSession();
  const query = useInfiniteQuery(videosQuery);
  const videos = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <PageHeader title="Videos">
        {isPermitted(session, 'infer') && (
          <>
            <CreateButton label="New video">{(onClose) => <CreateVideo onClose={onClose} />}</CreateButton>
            {session.video_uploads && (
              <CreateButton label="From a file" variant="default">
                {(onClose) => <CreateFromFile onClose={onClose} />}
              </CreateButton>
            )}
          </>
        )}
      </PageHeader>
      <QueryNotice query={query} errorTitle="The videos could not be loaded." />
      <ul className="gallery" aria-label="Videos">
        {videos.map((video) => (
          <li key={video.id}>
            <VideoCard video={video} />
          </li>
        ))}
      </ul>
      <LoadMoreButton entries="videos" query={query} />
      {query.data !== undefined && videos.length === 0 && (
        <EmptyState
          title="No videos"
          command={curlCommand(`${apiBaseURL}/videos`, { prompt: 'A river in the morning' })}
        >
          <p>Create a video with the button above, or from a shell:</p>
        </EmptyState>
      )}
    </>
  );
}

function VideoCard({ video }: { readonly video: Video }) {
  return (
    <Link to="/videos/$id" params={{ id: video.id }} className="card video">
      {video.status === 'completed' ? (
        <img src={videoContentURL(video.id, 'thumbnail')} alt="" loading="lazy" width="320" height="180" />
      ) : (
        <span className="placeholder">
          <Progress value={video.progress} aria-label="Progress" />
        </span>
      )}
      <span className="prompt">
        <bdi>{video.prompt ?? video.id}</bdi>
      </span>
      <span className="note">
        {video.status.replaceAll('_', ' ')} · {video.seconds} s · <RelativeTime seconds={video.created_at} />
      </span>
    </Link>
  );
}
