import { isFailure, createS3Client } from '../client.ts';
import { resolveOptions } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { elementTexts } from '../xml.ts';

/** The number of incomplete multipart uploads on the server. */
export async function unfinishedUploads(options: S3BlobsOptions): Promise<number> {
  const client = createS3Client(resolveOptions(options));
  const response = await client.send({ failureMessage: 'list', method: 'GET', query: { uploads: '' } });
  client.close();
  if (isFailure(response)) throw new Error(response.code);
  return elementTexts(response.body, 'Upload').length;
}
