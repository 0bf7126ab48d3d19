// An S3-compatible server in a separate process, so that its memory is not that of the test. Arguments: the folder, the bucket.
// It checks neither signatures (the faulty proxy does) nor body hashes, supports no conditional writes, and cannot abort
// uploads.
import S3rver from 's3rver';

const [directory, bucket] = process.argv.slice(2);
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
// The parent process has exited.
process.stdin.resume().once('close', () => process.exit());
