import { ErrorNotice } from './error-notice.tsx';
import { Modal } from './modal.tsx';

interface Props {
  readonly title: string;
  readonly submitLabel: string;
  readonly mutation: {
    readonly mutate: (variables: undefined, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A dialog with a form. It stays open if saving fails. */
export function DialogForm({ title, submitLabel, mutation, onClose, children }: Props) {
  return (
    <Modal title={title} onClose={onClose}>
      {(close) => (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            mutation.mutate(undefined, { onSuccess: close });
          }}
        >
          {children}
          {mutation.error !== null && <ErrorNotice title="The change was not saved." error={mutation.error} />}
          <div className="actions">
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={mutation.isPending}>
              {submitLabel}
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
