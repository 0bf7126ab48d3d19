import { useState } from 'react';
import { SelectField } from './select-field.tsx';
import { TimeField } from './time-field.tsx';

interface Props {
  /** Unix seconds; 0 if there is no limit. */
  readonly start: number;
  readonly end: number;
  readonly onChange: (range: { readonly start_time?: number; readonly end_time?: number }) => void;
}

const presets = [
  { value: 'all', label: 'Any', seconds: 0 },
  { value: 'hour', label: 'Last hour', seconds: 3600 },
  { value: 'day', label: 'Last 24 hours', seconds: 86_400 },
  { value: 'week', label: 'Last 7 days', seconds: 604_800 },
  { value: 'month', label: 'Last 30 days', seconds: 2_592_000 },
] as const;

type Choice = (typeof presets)[number]['value'] | 'custom';

/** A range of time: a preset, or two times. */
export function TimeRange({ start, end, onChange }: Props) {
  const [choice, setChoice] = useState<Choice>(start > 0 || end > 0 ? 'custom' : 'all');
  const choose = (value: Choice): void => {
    setChoice(value);
    const preset = presets.find((candidate) => candidate.value === value);
    if (preset === undefined) return;
    const isAll = preset.seconds === 0;
    onChange({ start_time: isAll ? 0 : Math.floor(Date.now() / 1000) - preset.seconds, end_time: 0 });
  };
  return (
    <>
      <SelectField<Choice>
        label="Time"
        options={[...presets, { value: 'custom', label: 'Custom' }]}
        value={choice}
        onChange={choose}
      />
      {choice === 'custom' && (
        <>
          <TimeField label="From" value={start} onChange={(start_time) => onChange({ start_time })} />
          <TimeField label="Before" value={end} onChange={(end_time) => onChange({ end_time })} />
        </>
      )}
    </>
  );
}
