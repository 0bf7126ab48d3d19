import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ readonly message: string }} Failure */

/**
 * Appends what failed, as lines of JSON, to the file that `MODELWIRE_FAILED_TESTS` names: `npm test` runs the tests of many packages, and
 * lists all failures at its end.
 */
export default class FailedTestsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly Failure[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env['MODELWIRE_FAILED_TESTS'];
    if (!file) return;
    /** @type {(at: { readonly file?: string, readonly title: string }, errors: readonly Failure[]) => void} */
    const record = (at, [error]) => {
      const [message = ''] = stripVTControlCharacters(error?.message ?? '').split('\n');
      appendFileSync(file, `${JSON.stringify({ folder: process.cwd(), ...at, message })}\n`);
    };
    for (const module of modules) {
      const of = { file: relative(process.cwd(), module.moduleId) };
      // A file that cannot be loaded, and hooks that fail.
      if (module.errors().length > 0) record({ ...of, title: '(the file)' }, module.errors());
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) record({ ...of, title: suite.fullName }, suite.errors());
      }
      for (const test of module.children.allTests('failed')) {
        record({ ...of, title: test.fullName }, test.result().errors ?? []);
      }
    }
    for (const error of unhandledErrors) record({ title: '(an error outside of the tests)' }, [error]);
  }
}
