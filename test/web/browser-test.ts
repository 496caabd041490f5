import test, { after, type TestContext } from 'node:test'
import { clientBuilt, closeBrowser, failingFast, skip } from './browser.ts'

after(closeBrowser)

/** A test in a browser, with the client built as it is now; skipped where there is no browser. An exception of the page fails it. */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, { skip }, async (t) => {
    await clientBuilt()
    await failingFast(() => run(t))
  })
}
