import { ConfirmButton } from './confirm-button.tsx';

interface Props {
  readonly action: 'Delete' | 'Reset' | 'Revoke';
  /** What the row is, such as "budget". */
  readonly kind: string;
  /** The entry in the question. */
  readonly name: string;
  /** What the action leads to. */
  readonly text: string;
  readonly onConfirm: () => void;
}

/** A button of a row whose action needs a confirmation. */
export function RowConfirmButton({ action, kind, name, text, onConfirm }: Props) {
  return (
    <ConfirmButton
      label={action}
      description={`${action} ${name}`}
      title={`${action} ${name}?`}
      text={text}
      confirmLabel={`${action} ${kind}`}
      onConfirm={onConfirm}
    />
  );
}
