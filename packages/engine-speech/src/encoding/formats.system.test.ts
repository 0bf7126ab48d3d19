import { testEncodings } from '../testing/encodings.ts';
import { decodeWithFfmpeg } from '../testing/ffmpeg.ts';

// Warnings of ffmpeg fail a test, too.
testEncodings('ffmpeg', decodeWithFfmpeg, [
  ['wav', 'pcm_s16le', 'wav'],
  ['flac', 'flac', 'flac'],
  ['opus', 'opus', 'ogg'],
  ['mp3', 'mp3', 'mp3'],
]);
