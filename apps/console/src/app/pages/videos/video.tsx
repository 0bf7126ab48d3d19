import { Button, Progress, Textarea } from '@mantine/core';
import type { Video, VideoSeconds } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isPermitted } from '../../api/permissions.ts';
import { isRendering, videoContentURL, videoLengths, videoQuery } from '../../api/videos.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { formatTime } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';
import { Players } from './players.tsx';
import { useVideoCreation } from './use-video-creation.ts';

const route = getRouteApi('/videos/$id');

/** One video: progress, player, download, remix, extension. */
export const VideoPage: React.FunctionComponent = createDetailPage('videos', videoQuery, Detail);

function Detail({ entry: video }: DetailProps<Video>) {
  const session = useSession();
  const { compare } = route.useSearch();
  const navigate = route.useNavigate();
  const deletion = useDeletion('videos', videoQuery(video.id).queryKey, () => api.videos.delete(video.id));
  const isCompleted = video.status === 'completed';
  return (
    <>
      <PageHeader title={<bdi>{video.prompt ?? 'Video'}</bdi>}>
        {isCompleted && (
          <Button component="a" href={videoContentURL(video.id, 'video')} download={`${video.id}.mp4`}>
            Download
          </Button>
        )}
        {isCompleted && isPermitted(session, 'infer') && (
          <>
            <CreateButton label="Remix">{(onClose) => <Remix video={video} onClose={onClose} />}</CreateButton>
            <CreateButton label="Extend" variant="default">
              {(onClose) => <Extend video={video} onClose={onClose} />}
            </CreateButton>
          </>
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
      {isRendering(video) && (
        <section className="card" aria-label="Progress">
          <p role="status">
            {video.status === 'queued' ? 'Queued' : 'Rendering'}, {video.progress} %
          </p>
          <Progress aria-label="Rendered" value={video.progress} />
        </section>
      )}
      {video.status === 'failed' && (
        <Notice tone="bad" title="The video failed.">
          <p className="message">{video.error?.message ?? 'The server gave no reason.'}</p>
          {video.error && (
            <p>
              Code: <code>{video.error.code}</code>
            </p>
          )}
        </Notice>
      )}
      {isCompleted && (
        <Players
          video={video}
          otherId={compare}
          onChange={(otherId) => void navigate({ search: { compare: otherId }, replace: true })}
        />
      )}
      <DescriptionList
        entries={[
          ['ID', <NamedId key="id" id={video.id} />],
          ['Model', video.model],
          ['Size', video.size],
          ['Seconds', video.seconds],
          ['Created', formatTime(video.created_at)],
          ['Expires', video.expires_at ? formatTime(video.expires_at) : 'never'],
        ]}
      />
      {video.remixed_from_video_id && <Origins id={video.remixed_from_video_id} />}
    </>
  );
}

/** The chain of videos from which a remix or an extension was created, nearest first. */
function Origins({ id }: { readonly id: string }) {
  return (
    <section className="card" aria-label="Made from">
      <h2>Made from</h2>
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

function Remix({ video, onClose }: { readonly video: Video; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState(video.prompt ?? '');
  const remix = useVideoCreation(() => api.videos.remix(video.id, { prompt }));
  return (
    <FormDialog
      title="Remix"
      submitLabel="Create remix"
      submission={remix}
      errorTitle="The remix was not created."
      isComplete={prompt !== ''}
      onClose={onClose}
    >
      <Textarea
        label="Prompt for the change"
        rows={4}
        required
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
    </FormDialog>
  );
}

function Extend({ video, onClose }: { readonly video: Video; readonly onClose: () => void }) {
  const [prompt, setPrompt] = useState('');
  const [duration, setDuration] = useState<VideoSeconds>('4');
  const extension = useVideoCreation(() => api.videos.extend({ video: { id: video.id }, prompt, seconds: duration }));
  return (
    <FormDialog
      title="Extend"
      submitLabel="Create extension"
      submission={extension}
      errorTitle="The extension was not created."
      isComplete={prompt !== ''}
      onClose={onClose}
    >
      <Textarea
        label="Prompt for the continuation"
        rows={4}
        required
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
      <SelectField label="Seconds" options={videoLengths} value={duration} onChange={setDuration} />
    </FormDialog>
  );
}
