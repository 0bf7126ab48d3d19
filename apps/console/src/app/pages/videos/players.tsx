import { Button } from '@mantine/core';
import type { Video } from '@modelwire/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { videoContentURL, videoQuery, videosQuery } from '../../api/videos.ts';
import { SelectField } from '../../components/select-field.tsx';

interface Props {
  readonly video: Video;
  /** ID of the video beside it; empty for none. */
  readonly otherId: string;
  readonly onChange: (otherId: string) => void;
}

/** A video, alone or beside another one, which are then played at the same time. */
export function Players({ video, otherId, onChange }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { data: other } = useQuery({ ...videoQuery(otherId), enabled: otherId !== '' });
  const listed = useInfiniteQuery(videosQuery).data?.pages.flatMap((page) => page.data) ?? [];
  const choices = listed.filter(({ id, status }) => status === 'completed' && id !== video.id);
  const playAll = (): void => {
    for (const player of container.current?.querySelectorAll('video') ?? []) {
      player.currentTime = 0;
      void player.play();
    }
  };
  return (
    <>
      <div ref={container} className="players">
        <Player video={video} isCaptioned={otherId !== ''} />
        {other !== undefined && otherId !== '' && <Player video={other} isCaptioned />}
      </div>
      {(choices.length > 0 || otherId !== '') && (
        <div className="filters">
          <SelectField<string>
            label="Compare with"
            options={[
              { value: '', label: 'None' },
              ...choices.map(({ id, prompt }) => ({ value: id, label: prompt?.slice(0, 80) ?? id })),
              ...(otherId === '' || choices.some(({ id }) => id === otherId) ? [] : [otherId]),
            ]}
            value={otherId}
            onChange={onChange}
          />
          {otherId !== '' && <Button onClick={playAll}>Play both</Button>}
        </div>
      )}
    </>
  );
}

interface PlayerProps {
  readonly video: Video;
  /** Alone, the page says what the video is. */
  readonly isCaptioned: boolean;
}

function Player({ video: { id, prompt, model, size, seconds }, isCaptioned }: PlayerProps) {
  const [width = 16, height = 9] = size.split('x').map(Number);
  return (
    <figure>
      <video
        className="player"
        controls
        style={{ aspectRatio: width / height, maxWidth: `calc(min(60vh, 560px) * ${width / height})` }}
        src={videoContentURL(id, 'video')}
        poster={videoContentURL(id, 'thumbnail')}
        aria-label={prompt ?? id}
      />
      {isCaptioned && (
        <figcaption className="note">
          <bdi>{prompt ?? id}</bdi> · {model}, {size}, {seconds} s
        </figcaption>
      )}
    </figure>
  );
}
