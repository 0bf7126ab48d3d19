import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { metadataKeysQuery } from '../../api/completions.ts';
import { suggestFilters } from '../../api/metadata-filter.ts';
import { EnteredField } from '../../components/entered-field.tsx';

interface Props {
  /** Whose metadata is suggested. */
  readonly project: string;
  readonly value: string;
  readonly onEnter: (value: string) => void;
}

/** A filter by metadata, with the keys and values that the project has as suggestions. They are loaded when the field is used. */
export function MetadataField({ project, value, onEnter }: Props) {
  const list = useId();
  const [text, setText] = useState(value);
  const [isUsed, setUsed] = useState(false);
  const { data: keys = [] } = useQuery({ ...metadataKeysQuery(project), enabled: isUsed });
  return (
    <EnteredField
      label="Metadata"
      placeholder="key=value"
      list={list}
      value={value}
      onFocus={() => setUsed(true)}
      onInput={(event) => setText(event.currentTarget.value)}
      onEnter={onEnter}
    >
      <datalist id={list}>
        {suggestFilters(text, keys).map((filter) => (
          <option key={filter} value={filter} />
        ))}
      </datalist>
    </EnteredField>
  );
}
