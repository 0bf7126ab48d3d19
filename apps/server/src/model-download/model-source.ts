import { ConfigError } from '../config/config-error.ts';

/** Where models of Hugging Face are downloaded from. */
export interface HuggingFace {
  /** Sent for gated and private models. */
  readonly token?: string | undefined;
  /** Default `https://huggingface.co`. */
  readonly endpoint?: string | undefined;
}

/** The files of a model on an HTTP server. */
export interface RemoteModel {
  /** The first is the one that is loaded; a split model has more. */
  readonly urls: readonly URL[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the `path` of a GGUF model is to be downloaded: `hf:user/model:quant`, `hf:user/model/file.gguf#branch`, or an HTTP(S) URL. */
export function isModelSource(path: string): boolean {
  return /^(?:hf:|https?:\/\/)/i.test(path);
}

/** A source without the parts that may be secret: credentials and the query of a signed URL. */
export function displaySource(source: string): string {
  const url = URL.parse(source);
  return url && url.protocol !== 'hf:' ? url.origin + url.pathname : source;
}

/** Finds the files of a model. Requests the manifest from Hugging Face if the source names a quantization instead of a file. */
export async function resolveModel(source: string, huggingFace: HuggingFace = {}): Promise<RemoteModel> {
  if (!/^hf:/i.test(source)) return { urls: splitParts(parseUrl(source)), headers: {} };
  const { token, endpoint = 'https://huggingface.co' } = huggingFace;
  const headers: RemoteModel['headers'] = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const {
    user,
    model,
    tag,
    file,
    branch = 'main',
  } = /^hf:(?:\/\/)?(?<user>[^/:#]+)\/(?<model>[^/:#]+)(?:\/(?<file>[^#]+?)(?:#(?<branch>.+))?|:(?<tag>[^/#]+))?$/i.exec(
    source,
  )?.groups ?? {};
  if (user === undefined || model === undefined)
    throw new ConfigError(
      `'${source}' is not a model of Hugging Face: use hf:user/model:quant or hf:user/model/file.gguf`,
    );
  const base = endpoint.replace(/\/+$/, '');
  const repository = `${encodeURIComponent(user)}/${encodeURIComponent(model)}`;
  const path =
    file ??
    (await requestManifest(
      source,
      new URL(`${base}/v2/${repository}/manifests/${encodeURIComponent(tag ?? 'latest')}`),
      headers,
    ));
  const encodedPath = path.split('/').map(encodeURIComponent).join('/');
  return {
    urls: splitParts(new URL(`${base}/${repository}/resolve/${encodeURIComponent(branch)}/${encodedPath}`)),
    headers,
  };
}

function parseUrl(source: string): URL {
  const url = URL.parse(source);
  if (!url) throw new ConfigError(`'${source}' is not a URL: use https://host/path/model.gguf`);
  if (url.username !== '' || url.password !== '')
    throw new ConfigError(`${displaySource(source)}: URLs with a user name or password are not supported; remove them`);
  return url;
}

/** Asks Hugging Face for the file of a quantization, as llama.cpp does: the manifest names it only to that user agent. */
async function requestManifest(source: string, url: URL, headers: RemoteModel['headers']): Promise<string> {
  let problem: string;
  try {
    const response = await fetch(url, {
      headers: { ...headers, 'user-agent': 'llama-cpp' },
      signal: AbortSignal.timeout(30_000),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    const file = body && typeof body === 'object' && 'ggufFile' in body ? body.ggufFile : undefined;
    if (file && typeof file === 'object' && 'rfilename' in file && typeof file.rfilename === 'string')
      return file.rfilename;
    problem = response.ok ? 'it lists no GGUF file' : `it returned ${response.status}`;
  } catch (error) {
    problem = errorCause(error);
  }
  throw new ConfigError(
    `Cannot find the file of '${source}' at ${url.href}: ${problem}. Check the names of the model and the quantization, and the network; gated and private models need HF_TOKEN.`,
  );
}

/** A model split into files named `-00001-of-00003.gguf` is listed with all of them, the first one first. */
function splitParts(url: URL): readonly URL[] {
  const [suffix, count] = /-\d{5}-of-(\d{5})\.gguf$/i.exec(url.pathname) ?? [];
  if (suffix === undefined || count === undefined) return [url];
  return Array.from({ length: Number(count) }, (_, index) => {
    const part = new URL(url);
    part.pathname = `${url.pathname.slice(0, -suffix.length)}-${String(index + 1).padStart(5, '0')}-of-${count}.gguf`;
    return part;
  });
}

/** The reason of a failed request: `fetch` puts it into the cause. */
export function errorCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}
