import { CopyButton } from './copy-button.tsx';

interface Props {
  readonly id: string;
  /** Default: the ID is shown. */
  readonly name?: string;
}

/** The name of an entry, with a button that copies its ID. */
export function NamedId({ id, name = id }: Props) {
  return (
    <span className="named-id">
      {name === id ? <code title={id}>{id}</code> : <bdi title={id}>{name}</bdi>}
      <CopyButton text={id} label={`Copy ID ${id}`} isIcon />
    </span>
  );
}
