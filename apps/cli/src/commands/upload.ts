import type { Define } from '../app.ts';
import { bytesFrom, numberFrom } from '../option-values.ts';
import { fileFields } from '../output/shapes.ts';
import { withNewFileOptions } from '../purpose.ts';
import { withExamples } from '../subcommand.ts';
import { sendFile } from '../upload/send.ts';

export const define: Define = (command, app) => {
  withNewFileOptions(
    withExamples(command, {
      'Upload a large file and verify its checksum': 'modelwire upload training.jsonl --purpose fine-tune --md5',
      'Upload faster over a connection with high latency': 'modelwire upload film.mov --parallel 8 --part-size 64MB',
      'Print the IDs of the files': 'modelwire upload *.pdf --json | jq -r .file.id',
    }),
  )
    .description(
      `Sends the parts of a file in parallel and retries each part. The progress is saved: run the same command again to send only the missing parts. The server keeps an incomplete upload for one hour.`,
    )
    .argument('<file...>', 'One or more files of up to 8 GB each')
    .option('--type <mime>', 'Media type (default: application/octet-stream)')
    .option('--part-size <size>', 'Size of a part, up to 64MB (default: 16MiB)', bytesFrom)
    .option(
      '-j, --parallel <n>',
      'Number of concurrent parts (default: 4)',
      numberFrom({ min: 1, max: 64, isInteger: true }),
    )
    .option('--md5', 'Verify the file by its MD5 checksum')
    .option('--state <file>', 'File for the progress of the upload')
    .option('--no-resume', 'Start again instead of resuming')
    .action(async (paths, flags) => {
      const { print } = app;
      for (const path of paths) {
        const upload = await sendFile(app, path, flags);
        const { file } = upload;
        if (print.json) await print.value(upload);
        else if (file) await print.record(file, fileFields(file));
        else await print.text(`${upload.id}\n`);
      }
    });
};
