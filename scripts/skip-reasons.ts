import type { Reporter, TestModule } from 'vitest/node';

/** Says at the end why tests were skipped, how many for each reason, and which passed only at the second try. */
export const skipReasons: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    const reasons = Map.groupBy(skipped, test => reasonOf(test.result()));
    for (const [reason, tests] of reasons) console.log(` Skipped ${tests.length}: ${reason}`);
    const passed = modules.flatMap(({ children }) => [...children.allTests('passed')]);
    for (const test of passed)
      if (test.diagnostic()?.flaky === true) console.log(` Passed at the second try: ${test.fullName}`);
  },
};

function reasonOf(result: { readonly note?: string | undefined } | object): string {
  return 'note' in result && result.note !== undefined
    ? result.note
    : 'their names say when they run; or -t left them out.';
}
