import { ErrorNotice } from './error-notice.tsx';
import { Modal } from './modal.tsx';

interface Props {
  readonly title: string;
  readonly submitLabel: string;
  readonly saving: {
    readonly mutate: (variables: undefined, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A dialog with a form. It stays open while saving fails. */
export function DialogForm({ title, submitLabel, saving, onClose, children }: Props) {
  return (
    <Modal title={title} onClose={onClose}>
      {(close) => (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            saving.mutate(undefined, { onSuccess: close });
          }}
        >
          {children}
          {saving.error !== null && <ErrorNotice title="The change was not saved." error={saving.error} />}
          <div className="actions">
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={saving.isPending}>
              {submitLabel}
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
