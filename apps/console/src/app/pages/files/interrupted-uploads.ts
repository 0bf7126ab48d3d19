import type { FilePurpose, UploadState } from '@modelwire/client';
import { personalStorage } from '../../api/personal-storage.ts';

/** An upload that can be resumed. It contains neither keys nor file content. */
export interface InterruptedUpload {
  readonly purpose: FilePurpose;
  readonly state: UploadState;
}

const prefix = 'upload:';

/** A file is identified by its name, size and modification time, since browsers do not reveal its path. */
function storageName({ name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>): string {
  return `${prefix}${size}:${lastModified}:${name}`;
}

/** The interrupted upload of this file, unless it has expired. */
export function findInterrupted(file: File): InterruptedUpload | undefined {
  return listInterrupted().find(({ name }) => name === storageName(file))?.upload;
}

export function storeInterrupted(file: File, upload: InterruptedUpload): void {
  personalStorage.write(storageName(file), JSON.stringify(upload));
}

export function removeInterrupted(file: File): void {
  personalStorage.remove(storageName(file));
}

/** The names of the files whose uploads were interrupted. Expired ones are removed. */
export function interruptedFileNames(): readonly string[] {
  return listInterrupted().map(({ name }) => name.slice(prefix.length).split(':').slice(2).join(':'));
}

function listInterrupted(): readonly { readonly name: string; readonly upload: InterruptedUpload }[] {
  return personalStorage
    .names()
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const upload = parseInterrupted(personalStorage.read(name));
      if (upload !== undefined) return [{ name, upload }];
      personalStorage.remove(name);
      return [];
    });
}

function parseInterrupted(text: string | null): InterruptedUpload | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isInterrupted(value) && value.state.expires_at * 1000 > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The client validates the other fields of the state when it resumes. */
function isInterrupted(value: unknown): value is InterruptedUpload {
  if (typeof value !== 'object' || value === null || !('purpose' in value) || !('state' in value)) return false;
  const { state } = value;
  return typeof state === 'object' && state !== null && 'expires_at' in state && typeof state.expires_at === 'number';
}
