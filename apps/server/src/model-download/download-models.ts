import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import type { Settings } from '../config/settings.ts';
import { downloadFile, fileSize } from './download-file.ts';
import type { DownloadFileOptions } from './download-file.ts';
import { showProgress } from './show-progress.ts';
import { displaySource, isModelSource, resolveModel } from './model-source.ts';

export interface DownloadModelsOptions extends Pick<DownloadFileOptions, 'retryDelaysMs'> {
  /** Writes to the console. */
  readonly print: (text: string) => void;
}

/**
 * Downloads the GGUF models whose `path` is a URL or a name at Hugging Face into `models` of the data folder, unless they are
 * there, and returns the settings with the paths of the files.
 *
 * @throws {ConfigError} that names the field, the URL and the fix.
 */
export async function downloadModels(settings: Settings, options: DownloadModelsOptions): Promise<Settings> {
  const { gguf, embeddings } = settings;
  return {
    ...settings,
    ...(gguf !== undefined && { gguf: await replacePaths('gguf', gguf, settings, options) }),
    ...(embeddings && {
      embeddings: {
        ...embeddings,
        gguf: await replacePaths('embeddings.gguf', embeddings.gguf, settings, options),
      },
    }),
  };
}

async function replacePaths<Model extends { readonly path: string }>(
  field: string,
  setting: string | readonly Model[],
  settings: Settings,
  options: DownloadModelsOptions,
): Promise<string | Model[]> {
  const replace = async (path: string): Promise<string> => {
    if (!isModelSource(path)) return path;
    try {
      return await download(path, settings, options);
    } catch (error) {
      throw error instanceof ConfigError ? new ConfigError(`${field}: ${error.message}`) : error;
    }
  };
  if (typeof setting === 'string') return replace(setting);
  const models: Model[] = [];
  for (const model of setting) models.push({ ...model, path: await replace(model.path) });
  return models;
}

/** Returns the path of the file to load. */
async function download(
  source: string,
  { data, huggingFace }: Settings,
  { print, retryDelaysMs }: DownloadModelsOptions,
): Promise<string> {
  const models = join(data, 'models');
  const folder = join(models, folderName(source));
  const existing = await readDownloaded(folder);
  if (existing !== undefined) return existing;
  // With PostgreSQL, several servers may share the data folder.
  const unlock = lockFolder(models);
  try {
    const { urls, headers } = await resolveModel(source, huggingFace);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files: DownloadedFile[] = [];
    for (const url of urls) {
      const name = fileName(url);
      const path = join(folder, name);
      // A part of a split model that an interrupted start has completed.
      if ((await fileSize(path)) === 0) {
        print(`Downloading ${displaySource(url.href)} to ${path}\n`);
        const onProgress = showProgress(name, print);
        await downloadFile(url, path, { headers, onProgress, ...(retryDelaysMs && { retryDelaysMs }) });
      }
      files.push({ name, size: await fileSize(path) });
    }
    await writeDownloaded(folder, files);
    return join(folder, files[0]?.name ?? '');
  } finally {
    await unlock();
  }
}

interface DownloadedFile {
  readonly name: string;
  readonly size: number;
}

/** Lists the files of a complete download, with their sizes. */
const listName = 'files.json';

/** The path of the file to load, if all files of the model are there in full. */
async function readDownloaded(folder: string): Promise<string | undefined> {
  let files: unknown;
  try {
    files = JSON.parse(await readFile(join(folder, listName), 'utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(files) || files.length === 0 || !files.every(isDownloadedFile)) return undefined;
  for (const { name, size } of files) {
    const found = await fileSize(join(folder, name));
    if (found !== size)
      throw new ConfigError(
        `The downloaded file ${join(folder, name)} has ${found} bytes instead of ${size}. Delete the folder ${folder} and start again: the model is downloaded again.`,
      );
  }
  return files[0] && join(folder, files[0].name);
}

async function writeDownloaded(folder: string, files: readonly DownloadedFile[]): Promise<void> {
  const path = join(folder, listName);
  await writeFile(`${path}.new`, JSON.stringify(files), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function isDownloadedFile(file: unknown): file is DownloadedFile {
  return (
    !!file &&
    typeof file === 'object' &&
    'name' in file &&
    typeof file.name === 'string' &&
    'size' in file &&
    typeof file.size === 'number'
  );
}

/** Each source has a separate folder, so that files of the same name do not collide. */
function folderName(source: string): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  const name = displaySource(source).split('/').at(-1) ?? '';
  return `${safeName(name).replace(/\.gguf$/i, '')}-${hash}`;
}

function fileName(url: URL): string {
  const name = safeName(decodePath(url.pathname).split('/').at(-1) ?? '');
  return /\.gguf$/i.test(name) ? name : `${name}.gguf`;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A file name without separators, leading dots and other characters that mean something to a file system. */
function safeName(name: string): string {
  return (
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(-100) || 'model'
  );
}
