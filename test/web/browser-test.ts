import test, { after, type TestContext } from 'node:test'
import { browserPath, clientBuilt, closeBrowsers, failingFast, skipWithout } from './browser.ts'

after(closeBrowsers)

/** A test in a browser, with the client built as it is now; skipped where there is no browser. An exception of the page fails it. */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>, path = browserPath()): void {
  const skip = skipWithout(path)
  test(name, { skip }, async (t) => {
    await clientBuilt()
    await failingFast(() => run(t))
  })
}
