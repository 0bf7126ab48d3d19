// Uploads a file of any size in parallel parts. If you interrupt it, the next start resumes the upload.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Modelwire } from '@modelwire/client';
import type { UploadState } from '@modelwire/client';
import { fileFromPath, nodeMd5 } from '@modelwire/uploads/node';

const path = process.argv[2] ?? import.meta.filename;
const kept = `${path}.upload.json`;
// An invalid state, or the state of another file, is refused.
const resume = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as UploadState) : undefined;
if (resume !== undefined) console.log(`goes on with ${resume.upload_id}`);

const { file } = await new Modelwire().uploads.uploadFile({
  ...(await fileFromPath(path)),
  purpose: 'user_data',
  partSize: resume?.part_size ?? 1024 ** 2,
  md5: nodeMd5,
  resume,
  onProgress({ parts, totalParts, state }) {
    writeFileSync(kept, JSON.stringify(state));
    console.log(`${parts} of ${totalParts} parts`);
  },
});
rmSync(kept);
console.log(`-- ${file?.filename ?? 'no name'}, ${file?.bytes ?? 0} bytes, is ${file?.id ?? 'no file'}`);
