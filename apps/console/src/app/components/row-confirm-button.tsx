import { ConfirmButton } from './confirm-button.tsx';

interface Props {
  readonly action: 'Delete' | 'Reset' | 'Revoke';
  /** The kind of the entry, such as "budget". */
  readonly kind: string;
  /** The name of the entry in the question. */
  readonly name: string;
  /** Describes the consequences of the action. */
  readonly text: string;
  readonly onConfirm: () => void;
}

/** A button of a table row whose action requires confirmation. */
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
