import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListName } from './detail-page.tsx';
import { FormDialog } from './form-dialog.tsx';

interface Props {
  readonly title: string;
  readonly submitLabel: string;
  readonly errorTitle: string;
  readonly isComplete?: boolean;
  /** The list of what the job creates. */
  readonly list: ListName;
  /** Runs the job, and resolves to the ID of what it created. Called with a function that shows what is being done. */
  readonly run: (onStep: (step: string) => void) => Promise<string>;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A form in a drawer that starts a job of the server. It opens the page of what the job created, unless it was closed before. */
export function JobDialog({ list, run, children, ...dialog }: Props) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [step, setStep] = useState('Starting');
  const job = useMutation({
    mutationFn: () => run(setStep),
    onSuccess: async () => queryClient.resetQueries({ queryKey: [list] }),
  });
  const submission = {
    ...job,
    mutate: (_: undefined, { onSuccess }: { readonly onSuccess: () => void }) =>
      job.mutate(undefined, {
        onSuccess: (id) => {
          onSuccess();
          void navigate({ to: `/${list}/$id`, params: { id } });
        },
      }),
  };
  return (
    <FormDialog {...dialog} submission={submission}>
      {children}
      {job.isPending && (
        <p className="note" role="status">
          {step}… The server continues if you close the form or the page.
        </p>
      )}
    </FormDialog>
  );
}
