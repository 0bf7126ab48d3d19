import type { UseMutationResult } from '@tanstack/react-query';
import { ConfirmButton } from './confirm-button.tsx';

interface Props {
  /** What is deleted, such as "video". */
  readonly kind: string;
  /** The name of the entry in the question. Default: "this" and the kind. */
  readonly name?: string;
  /** Describes the consequences of the deletion. */
  readonly text: string;
  readonly deletion: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
}

/** Deletes the entry that a page shows, after confirmation. */
export function DeleteButton({ kind, name = `this ${kind}`, text, deletion }: Props) {
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${name}?`}
      text={text}
      confirmLabel={`Delete ${kind}`}
      disabled={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    />
  );
}
