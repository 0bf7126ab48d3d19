import type { S3BlobsOptions, S3CredentialsProvider } from './options.ts';

/** The options with the credentials that the AWS SDK finds, if they have none. @throws {TypeError} if its package is not installed. */
export async function withCredentials(options: S3BlobsOptions): Promise<S3BlobsOptions> {
  const { credentials, accessKeyId, secretAccessKey } = options;
  if (credentials !== undefined || accessKeyId !== undefined || secretAccessKey !== undefined) return options;
  return { ...options, credentials: await findCredentials() };
}

/** Those of the environment, a shared profile, SSO, a web identity, the container or the instance; temporary ones are renewed before they expire. */
async function findCredentials(): Promise<S3CredentialsProvider> {
  try {
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
    return fromNodeProviderChain();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new TypeError(
      'no access key is configured, and the package that finds credentials of profiles, containers and instances is not installed. Set ' +
        'accessKeyId and secretAccessKey (the server app reads them from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY), or run ' +
        'npm install @aws-sdk/credential-providers',
    );
  }
}
