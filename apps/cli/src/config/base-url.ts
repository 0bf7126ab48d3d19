import { usageFailure } from '../failure.ts';

/** Refuses what is no address of a server. */
export function checkBaseURL(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageFailure(`"${text}" is no address of a server`, 'It looks like this: https://models.example.com/v1');
  }
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') throw usageFailure('An address holds no key', 'Keys are kept by themselves.');
  return text;
}
