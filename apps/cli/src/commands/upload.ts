import { defineCommand } from '../command.ts';
import { fileFields } from '../output/shapes.ts';
import { sendFile, uploadFlags } from '../upload/send.ts';

export const command = defineCommand({
  arguments: [{ name: 'file', multiple: true, completes: 'file', description: 'one or more, of up to 8 GB each' }],
  flags: uploadFlags,
  description: `Parts are sent in parallel, each tried again by itself. How far it is stands in a state file: run the same again, and only what is
missing is sent. A server keeps an upload for an hour.`,
  examples: [
    { what: 'A large file, verified', line: 'modelwire upload training.jsonl --purpose fine-tune --md5' },
    { what: 'Faster on a long way', line: 'modelwire upload film.mov --parallel 8 --part-size 64MB' },
    { what: 'Ids of what was sent', line: 'modelwire upload *.pdf --json | jq -r .file.id' },
  ],
  async run(context) {
    const { args, print } = context;
    for (const path of args) {
      const upload = await sendFile(context, path);
      const { file } = upload;
      if (print.json) await print.value(upload);
      else if (file) await print.record(file, fileFields(file));
      else await print.text(`${upload.id}\n`);
    }
    return undefined;
  },
});
