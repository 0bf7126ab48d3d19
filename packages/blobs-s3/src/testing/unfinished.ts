import { isRefusal, s3Client } from '../client.ts';
import { settingsOf } from '../options.ts';
import type { S3BlobsOptions } from '../options.ts';
import { allOf } from '../xml.ts';

/** The number of incomplete multipart uploads on the server. */
export async function unfinishedUploads(options: S3BlobsOptions): Promise<number> {
  const client = s3Client(settingsOf(options));
  const answer = await client.ask({ doing: 'list', method: 'GET', query: { uploads: '' } });
  client.close();
  if (isRefusal(answer)) throw new Error(answer.code);
  return allOf(answer.body, 'Upload').length;
}
