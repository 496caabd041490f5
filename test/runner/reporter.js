import { writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

/** The runner's name for an empty test before the tests of a file; helpers define tests too, so their own places don't tell. */
const FILE = 'file of the next tests: '
/** The runner's name for the test around it, which loads the file. */
const NEXT = 'take the next file'

const lists = process.env.TEST_LISTS === '1'
/** Prints by the descriptor, since tests of commands replace process.stdout. A full pipe is emptied by the reader soon. */
function print(text) {
  if (process.env.TEST_SILENT === '1') return
  for (let rest = Buffer.from(`${text}\n`); rest.length > 0; )
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
}
const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/**
 * The reporter of a process of tests: prints a failure as soon as it occurs, notes of tests, and with TEST_LISTS=1 every test. Yields one
 * line of JSON for each test, and for each note outside of one: it tells of what failed after its test.
 */
export default async function* report(events) {
  let file
  for await (const { type, data } of events) {
    if (
      type === 'test:diagnostic' &&
      !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
    ) {
      print(`ℹ ${data.message}`)
      if (data.nesting === 0) yield `${JSON.stringify({ note: data.message })}\n`
    }
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details.type === 'suite') continue
    const { name, nesting, skip, todo } = data
    if (name.startsWith(FILE)) {
      file = name.slice(FILE.length)
      continue
    }
    if (name === NEXT && type === 'test:pass') continue
    const result = skip !== undefined ? 'skipped' : type === 'test:pass' || todo !== undefined ? 'passed' : 'failed'
    const ms = data.details.duration_ms
    const failure = result === 'failed' && inherited(data) === undefined ? describe(data) : undefined
    if (failure) print(`\n${failure}\n`)
    else if (lists && result !== 'failed')
      print(`${'  '.repeat(nesting)}${mark[result]} ${name} (${note(skip) ?? duration(ms)})`)
    yield `${JSON.stringify({ name, nesting, result, ms, file: file ?? place(data), failure })}\n`
  }
}

const mark = { passed: '✔', skipped: '﹣' }
const note = (skip) => (skip === undefined ? undefined : typeof skip === 'string' ? `skipped: ${skip}` : 'skipped')
const place = ({ file = '' }) =>
  relative(resolve(import.meta.dirname, '../..'), file.startsWith('file:') ? fileURLToPath(file) : file)
/** A test whose parts failed adds nothing to their failures. */
const inherited = ({ details: { error } }) => (error?.failureType === 'subtestsFailed' ? error : undefined)

function describe(data) {
  const { error } = data.details
  const cause = error?.cause ?? error
  const text = typeof cause === 'string' ? cause : inspect(cause, { depth: 8 })
  return `✖ ${data.name} (${duration(data.details.duration_ms)})\n  ${place(data)}:${data.line}\n${text.replace(/^/gm, '  ')}`
}
