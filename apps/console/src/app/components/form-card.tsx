import type { UseMutationResult } from '@tanstack/react-query';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly title: string;
  readonly className?: string;
  readonly submission: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'error'>;
  /** What failed, such as "The key was not created." */
  readonly errorTitle: string;
  readonly children: React.ReactNode;
}

/** A form in a card, with the error if its submission failed. */
export function FormCard({ title, className = 'card', submission, errorTitle, children }: Props) {
  return (
    <form
      className={className}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        submission.mutate();
      }}
    >
      <h2>{title}</h2>
      {children}
      {submission.error !== null && <ErrorNotice title={errorTitle} error={submission.error} />}
    </form>
  );
}
