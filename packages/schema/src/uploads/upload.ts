import { constant, count, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { fileSchema } from '../files/file.ts';

export const uploadSchema = responseObject('Upload', 'A file that is sent in parts.', {
  id: string('ID of the upload.', 'upload_abc123'),
  object: constant('upload'),
  created_at: timestamp('When the upload was created.'),
  filename: string('Name of the file to be uploaded.', 'notes.txt'),
  bytes: count('Size of the whole file, as declared when the upload was created.'),
  purpose: string('What the file is for.', 'user_data'),
  status: openEnum(['pending', 'completed', 'cancelled', 'expired'], 'State of the upload.'),
  expires_at: timestamp('When the upload expires if it has not been completed.'),
  file: fileSchema.nullable().optional().describe('The file, once the upload is completed.'),
});

export const uploadPartSchema = responseObject('UploadPart', 'One part of an upload.', {
  id: string('ID of the part, for `part_ids` of Complete upload.', 'part_abc123'),
  object: constant('upload.part'),
  created_at: timestamp('When the part was added.'),
  upload_id: string('ID of the upload.', 'upload_abc123'),
});
