import { defineCommand } from '../command.ts';
import { fileFields } from '../output/shapes.ts';
import { sendFile, uploadFlags } from '../upload/send.ts';

export const command = defineCommand({
  arguments: [{ name: 'file', multiple: true, completes: 'file', description: 'One or more files of up to 8 GB each' }],
  flags: uploadFlags,
  description: `Sends the parts of a file in parallel and retries each part. The progress is saved: run the same command again to send only the missing
parts. The server keeps an incomplete upload for one hour.`,
  examples: [
    {
      what: 'Upload a large file and verify its checksum',
      line: 'modelwire upload training.jsonl --purpose fine-tune --md5',
    },
    {
      what: 'Upload faster over a connection with high latency',
      line: 'modelwire upload film.mov --parallel 8 --part-size 64MB',
    },
    { what: 'Print the IDs of the files', line: 'modelwire upload *.pdf --json | jq -r .file.id' },
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
  },
});
