import type { Video } from '@modelwire/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

/** Creates a video, then opens its page. */
export function useVideoCreation(create: () => Promise<Video>) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: create,
    onSuccess: async ({ id }) => {
      await queryClient.resetQueries({ queryKey: ['videos'] });
      await navigate({ to: '/videos/$id', params: { id } });
    },
  });
}
