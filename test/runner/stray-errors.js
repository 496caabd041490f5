// Imported by the entry of a process of tests, before node:test. Node's test runner follows every promise, to know to which test an error
// belongs that occurs outside of its function, such as in a timer. That was a fifth of the processor time of the tests. They run one after
// the other, so this names the test that runs instead. The runner fails the process for such an error.
import asyncHooks from 'node:async_hooks'
import { writeSync } from 'node:fs'
import { inspect } from 'node:util'

/** What the test waits for may never come after an error. */
const END_MS = 30_000

const { createHook } = asyncHooks
// The runner takes the function when it is loaded. If it did so earlier, it would work as usual.
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
const { beforeEach } = await import('node:test')
asyncHooks.createHook = createHook
let running = 'no test'
beforeEach(({ name }) => {
  running = name
})
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    if (process.env.TEST_SILENT !== '1') writeSync(2, `✖ ${event} while “${running}” ran: ${inspect(error)}\n`)
    setTimeout(() => process.exit(1), END_MS).unref()
  })
