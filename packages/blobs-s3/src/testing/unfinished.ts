import { isRefusal, s3Client } from '../client.ts';
import { settingsOf } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { allOf } from '../xml.ts';

/** How many uploads in parts the server keeps that did not end. */
export async function unfinishedUploads(options: S3BlobsOptions): Promise<number> {
  const client = s3Client(settingsOf(options));
  const answer = await client.ask({ doing: 'list', method: 'GET', query: { uploads: '' } });
  client.close();
  if (isRefusal(answer)) throw new Error(answer.code);
  return allOf(answer.body, 'Upload').length;
}
