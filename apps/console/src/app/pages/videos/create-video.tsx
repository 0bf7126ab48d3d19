import { Textarea } from '@mantine/core';
import type { VideoSeconds, VideoSize } from '@modelwire/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { modelsOfKindQuery } from '../../api/models.ts';
import { videoLengths } from '../../api/videos.ts';
import { FileField } from '../../components/file-field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useVideoCreation } from './use-video-creation.ts';

const sizes: readonly VideoSize[] = ['720x1280', '1280x720', '1024x1792', '1792x1024'];

/** Creates a video from a prompt and, optionally, a reference image. */
export function CreateVideo({ onClose }: { readonly onClose: () => void }) {
  const models = useQuery(modelsOfKindQuery('video'));
  const [prompt, setPrompt] = useState('');
  const [model, setModel] = useState('');
  const [duration, setDuration] = useState<VideoSeconds>('4');
  const [size, setSize] = useState<VideoSize>('1280x720');
  const [reference, setReference] = useState<File>();
  const creation = useVideoCreation(() =>
    api.videos.create({
      prompt,
      seconds: duration,
      size,
      ...(model !== '' && { model }),
      ...(reference !== undefined && { input_reference: reference }),
    }),
  );
  return (
    <FormDialog
      title="New video"
      submitLabel={creation.isPending ? 'Creating…' : 'Create video'}
      submission={creation}
      errorTitle="The video was not created."
      isComplete={prompt !== ''}
      onClose={onClose}
    >
      <Textarea label="Prompt" rows={4} required value={prompt} onChange={(event) => setPrompt(event.target.value)} />
      <SelectField
        label="Model"
        options={[{ value: '', label: 'Default' }, ...(models.data ?? [])]}
        value={model}
        onChange={setModel}
      />
      <SelectField label="Seconds" options={videoLengths} value={duration} onChange={setDuration} />
      <SelectField label="Size" options={sizes} value={size} onChange={setSize} />
      <FileField
        label="Reference image"
        buttonLabel="Choose an image"
        accept="image/*"
        file={reference}
        onFiles={([file]) => setReference(file)}
        onClear={() => setReference(undefined)}
      />
    </FormDialog>
  );
}
