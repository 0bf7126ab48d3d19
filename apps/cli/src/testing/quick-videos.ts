import type { Config } from '@modelwire/server-app';

const script = `
const { writeFileSync } = require('node:fs');
let job = '';
process.stdin.on('data', (chunk) => (job += chunk)).on('end', () => {
  const { output, prompt } = JSON.parse(job);
  if (prompt === 'fail') process.exit(1);
  writeFileSync(output + '/video.mp4', Buffer.from('0000001866747970' + '69736f6d00000200' + '69736f6d6d703431', 'hex'));
  writeFileSync(output + '/thumbnail.webp', Buffer.from('RIFF\\x04\\0\\0\\0WEBP', 'latin1'));
});
`;

/** A video model that renders nothing, and therefore is fast. */
export const quickVideos: NonNullable<Config['videos']> = {
  storyboard: false,
  command: { command: process.execPath, args: ['-e', script], models: { pattern: { extend: true } } },
};
