import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ListName } from './detail-page.tsx';

/** Deletes the entry that a page shows, with the key of its query, then opens its list. */
export function useDeletion(list: ListName, queryKey: readonly unknown[], deleteEntry: () => PromiseLike<unknown>) {
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
