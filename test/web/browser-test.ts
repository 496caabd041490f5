import test, { after, type TestContext } from 'node:test'
import { clientBuilt, closeBrowser, skip } from './browser.ts'

after(closeBrowser)

/**
 * How many tests may be tried a second time in this run. By itself none, so that a fault that shows only now and then is seen where
 * it can be looked into. CI allows two of more than a hundred, and prints why each failed: more is a fault of the page.
 */
let retries = Number(process.env.BROWSER_RETRIES ?? 0)

/** A test in a browser, with the client built as it is now; skipped where there is no browser. */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, { skip }, async (t) => {
    await clientBuilt()
    try {
      await run(t)
    } catch (error) {
      if (retries === 0) throw error
      retries -= 1
      t.diagnostic(`FLAKY, tried again: ${name}\n${error instanceof Error ? error.stack : error}`)
      await run(t)
    }
  })
}
