import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ListName } from './detail-page.tsx';

interface Deletion {
  readonly list: ListName;
  /** The key of the query of the entry. */
  readonly queryKey: readonly unknown[];
  readonly deleteEntry: () => PromiseLike<unknown>;
}

/** Deletes the entry that a page shows, then opens its list. */
export function useDeletion({ list, queryKey, deleteEntry }: Deletion) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => deleteEntry(),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey });
      await queryClient.resetQueries({ queryKey: [list] });
      await navigate({ to: `/${list}` });
    },
  });
}
