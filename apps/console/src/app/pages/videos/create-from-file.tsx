import { Textarea } from '@mantine/core';
import type { VideoSeconds } from '@modelwire/client';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { videoLengths } from '../../api/videos.ts';
import { FileField } from '../../components/file-field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useVideoCreation } from './use-video-creation.ts';

const operations = [
  { value: 'edit', label: 'Edit' },
  { value: 'extend', label: 'Extend' },
] as const;

/** Edits or extends a video file. */
export function CreateFromFile({ onClose }: { readonly onClose: () => void }) {
  const [video, setVideo] = useState<File>();
  const [operation, setOperation] = useState<(typeof operations)[number]['value']>('edit');
  const [prompt, setPrompt] = useState('');
  const [duration, setDuration] = useState<VideoSeconds>('4');
  const creation = useVideoCreation(() => {
    if (video === undefined) throw new Error('Choose a video.');
    return operation === 'edit'
      ? api.videos.edit({ video, prompt })
      : api.videos.extend({ video, prompt, seconds: duration });
  });
  return (
    <FormDialog
      title="New video from a file"
      submitLabel={creation.isPending ? 'Uploading…' : 'Create video'}
      submission={creation}
      errorTitle="The video was not created."
      isComplete={video !== undefined && prompt !== ''}
      onClose={onClose}
    >
      <FileField
        label="Source video"
        description="An MP4 file."
        buttonLabel="Choose a video"
        accept="video/mp4"
        file={video}
        onFiles={([file]) => setVideo(file)}
        onClear={() => setVideo(undefined)}
      />
      <SelectField label="Operation" options={operations} value={operation} onChange={setOperation} />
      <Textarea
        label={operation === 'edit' ? 'Prompt for the change' : 'Prompt for the continuation'}
        rows={4}
        required
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
      {operation === 'extend' && (
        <SelectField label="Seconds" options={videoLengths} value={duration} onChange={setDuration} />
      )}
    </FormDialog>
  );
}
