import { Button, TextInput } from '@mantine/core';
import { AuthenticationError } from '@modelwire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery, signIn, signInMethodsQuery, signInUrl } from '../api/session.ts';
import { takeOneTimeCode } from '../api/one-time-code.ts';
import { ErrorNotice } from '../components/error-notice.tsx';

/** Signs in by an identity provider, with an API key, or with the one-time code in the URL. */
export function SignIn() {
  const queryClient = useQueryClient();
  const [key, setKey] = useState('');
  const provider = useQuery(signInMethodsQuery).data?.identity_provider;
  const field = useRef<HTMLInputElement>(null);
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      queryClient.setQueryData(sessionQuery.queryKey, session);
    },
    onError: () => field.current?.focus(),
  });
  const { mutate } = attempt;
  useEffect(() => {
    const signInByCode = (): boolean => {
      const code = takeOneTimeCode();
      if (code !== undefined) mutate({ code });
      return code !== undefined;
    };
    if (!signInByCode()) field.current?.focus();
    // Opening a printed link in a tab that shows this form changes only the fragment.
    addEventListener('hashchange', signInByCode);
    return () => removeEventListener('hashchange', signInByCode);
  }, [mutate]);

  return (
    <main className="sign-in">
      <h1>Sign in to Modelwire</h1>
      {provider && (
        <Button component="a" href={signInUrl(provider.url)} variant="filled" size="sm">
          Sign in with {provider.name}
        </Button>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ key: key.trim() });
        }}
      >
        <TextInput
          label="API key"
          ref={field}
          type="password"
          size="sm"
          autoComplete="current-password"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          description={
            'The server printed its first key when it was started, or stored it in its data folder. ' +
            'The key is exchanged for a session cookie and not kept in the browser.'
          }
          inputWrapperOrder={['label', 'input', 'description']}
          required
        />
        <Button type="submit" variant={provider ? 'default' : 'filled'} size="sm" disabled={attempt.isPending}>
          {attempt.isPending ? 'Signing in…' : provider ? 'Sign in with an API key' : 'Sign in'}
        </Button>
      </form>
      {attempt.error !== null && (
        <ErrorNotice
          title={
            attempt.error instanceof AuthenticationError ? 'The key or the code is not valid.' : 'Signing in failed.'
          }
          error={attempt.error}
        />
      )}
    </main>
  );
}
