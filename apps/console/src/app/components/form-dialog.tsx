import { Button } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';
import { Modal } from './modal.tsx';

interface Props {
  readonly title: string;
  readonly submitLabel: string;
  readonly submission: {
    readonly mutate: (variables: undefined, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  /** What failed. Default: the change was not saved. */
  readonly errorTitle?: string;
  readonly isComplete?: boolean;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A form in a drawer. It stays open if the submission fails. */
export function FormDialog({
  title,
  submitLabel,
  submission,
  errorTitle = 'The change was not saved.',
  isComplete = true,
  onClose,
  children,
}: Props) {
  return (
    <Modal title={title} isDrawer onClose={onClose}>
      {(close) => (
        <form
          className="stack"
          aria-label={title}
          onSubmit={(event) => {
            event.preventDefault();
            submission.mutate(undefined, { onSuccess: close });
          }}
        >
          {children}
          {submission.error !== null && <ErrorNotice title={errorTitle} error={submission.error} />}
          <div className="actions">
            <Button type="submit" variant="filled" disabled={!isComplete || submission.isPending}>
              {submitLabel}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
