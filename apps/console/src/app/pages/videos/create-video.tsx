import type { VideoSeconds, VideoSize } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { modelsOfKindQuery } from '../../api/models.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormCard } from '../../components/form-card.tsx';

const seconds: readonly VideoSeconds[] = ['4', '8', '12'];
const sizes: readonly VideoSize[] = ['720x1280', '1280x720', '1024x1792', '1792x1024'];

/** Creates a video from a prompt and, optionally, a reference image. */
export function CreateVideo() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const models = useQuery(modelsOfKindQuery('video'));
  const [prompt, setPrompt] = useState('');
  const [model, setModel] = useState('');
  const [duration, setDuration] = useState<VideoSeconds>('4');
  const [size, setSize] = useState<VideoSize>('1280x720');
  const [reference, setReference] = useState<File>();
  const creation = useMutation({
    mutationFn: () =>
      api.videos.create({
        prompt,
        seconds: duration,
        size,
        ...(model !== '' && { model }),
        ...(reference !== undefined && { input_reference: reference }),
      }),
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['videos'] });
      await navigate({ to: '/videos/$id', params: { id } });
    },
  });
  return (
    <FormCard className="card stack" title="New video" onSubmit={() => creation.mutate()}>
      <label className="field">
        Prompt
        <textarea rows={2} required value={prompt} onChange={(event) => setPrompt(event.target.value)} />
      </label>
      <div className="filters">
        <label className="field">
          Model
          <select value={model} onChange={(event) => setModel(event.target.value)}>
            <option value="">Default</option>
            {models.data?.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label className="field">
          Seconds
          <select
            value={duration}
            onChange={(event) => setDuration(seconds.find((one) => one === event.target.value) ?? '4')}
          >
            {seconds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label className="field">
          Size
          <select value={size} onChange={(event) => setSize(sizes.find((one) => one === event.target.value) ?? size)}>
            {sizes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label className="field">
          Reference image
          <input type="file" accept="image/*" onChange={(event) => setReference(event.target.files?.[0])} />
        </label>
        <button type="submit" className="primary" disabled={creation.isPending || prompt === ''}>
          {creation.isPending ? 'Creating…' : 'Create video'}
        </button>
      </div>
      {creation.error !== null && <ErrorNotice title="The video was not created." error={creation.error} />}
    </FormCard>
  );
}
