/** Names every skipped test at the end of the run; the default reporter only counts them. */
export default class SkippedTestsReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
        process.stdout.write(` skipped  ${module.relativeModuleId} > ${test.fullName}${note}\n`);
      }
    }
  }
}
