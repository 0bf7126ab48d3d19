import type { IdentityProvider } from '../options/types.ts';

const paths = { start: '/console/api/sign-in/start', callback: '/console/api/sign-in/callback' };

/** The URLs of a sign-in in the browser, and their paths on this server. */
export interface SignInUrls {
  readonly console: URL;
  readonly start: URL;
  readonly callback: URL;
  readonly paths: typeof paths;
}

export function signInUrls({ publicUrl }: Pick<IdentityProvider, 'publicUrl'>): SignInUrls {
  const inBrowser = (path: string): URL => new URL(path.slice(1), publicUrl);
  return {
    console: inBrowser('/console/'),
    start: inBrowser(paths.start),
    callback: inBrowser(paths.callback),
    paths,
  };
}
