import type { FilePurpose, UploadState } from '@modelwire/client';

/** An upload that can be continued. It contains IDs, no key and no bytes. */
export interface InterruptedUpload {
  readonly purpose: FilePurpose;
  readonly state: UploadState;
}

const prefix = 'modelwire-upload:';

/** Browsers do not reveal the path of a file: it is identified by its name, size and modification time. */
function nameOf({ name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>): string {
  return `${prefix}${size}:${lastModified}:${name}`;
}

/** The upload of this file that was interrupted, if the server still has it. */
export function findInterrupted(file: File): InterruptedUpload | undefined {
  return listAll().find(({ key }) => key === nameOf(file))?.upload;
}

export function rememberInterrupted(file: File, upload: InterruptedUpload): void {
  localStorage.setItem(nameOf(file), JSON.stringify(upload));
}

export function forgetInterrupted(file: File): void {
  localStorage.removeItem(nameOf(file));
}

/** The names of the files whose uploads were interrupted. Expired ones are removed. */
export function interruptedFileNames(): readonly string[] {
  return listAll().map(({ key }) => key.slice(prefix.length).split(':').slice(2).join(':'));
}

function listAll(): readonly { readonly key: string; readonly upload: InterruptedUpload }[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
  return keys
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const upload = parse(localStorage.getItem(key));
      if (upload !== undefined) return [{ key, upload }];
      localStorage.removeItem(key);
      return [];
    });
}

function parse(text: string | null): InterruptedUpload | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isInterrupted(value) && value.state.expires_at * 1000 > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the client needs of the state is validated when it resumes. */
function isInterrupted(value: unknown): value is InterruptedUpload {
  if (typeof value !== 'object' || value === null || !('purpose' in value) || !('state' in value)) return false;
  const { state } = value;
  return typeof state === 'object' && state !== null && 'expires_at' in state && typeof state.expires_at === 'number';
}
