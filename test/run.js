// Runs the tests: `node test/run.js [part of a path]... [!part of a path to leave out]... [--option for the runner]...`
// @NOTE Node 20's own search finds no TypeScript and calls that success, so the files are found and counted here.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onlyOnSqlite } from './postgres/left-out.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const leftOut = args.filter((arg) => arg.startsWith('!')).map((arg) => arg.slice(1))
const wanted = args.filter((arg) => !/^[-!]/.test(arg))

const files = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .filter((file) => !leftOut.some((part) => file.includes(part)))
  .sort()

if (files.length === 0) {
  console.error(`no test file found${wanted.length > 0 ? ` for ${wanted.join(', ')}` : ''}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'chat-server-tests-'))
// The files of one folder share a process: loading the program again for each would take longer than all the tests.
const groups = new Map()
for (const file of files) groups.set(dirname(file), [...(groups.get(dirname(file)) ?? []), file])
/** Why the whole suite leaves this folder out on PostgreSQL, if it does; who names a part of it wants to see it run. */
const reasonToSkip = (name) => {
  const [top] = relative('test', name).split('/')
  return process.env.DATABASE_URL && wanted.length === 0 ? onlyOnSqlite[top] : undefined
}
const running = (files) =>
  files.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)).href)})\n`).join('')
const skipping = (name, reason) =>
  `import test from 'node:test'\ntest(${JSON.stringify(name)}, { skip: ${JSON.stringify(`only on SQLite: ${reason}`)} })\n`
const entries = [...groups].map(([name, members]) => {
  const reason = reasonToSkip(name)
  return entry(name, reason ? skipping(name, reason) : running(members))
})
/** How many files with a test that failed are run again, at most; none unless it is set, as in CI. */
const retries = Number(process.env.TEST_RETRIES ?? 0)

let result = await run(entries)
const suspects = [...new Set(result.failures.flatMap(filesOf))]
if (result.code === 1 && suspects.length > 0 && suspects.length <= retries) {
  const names = result.failures.map(({ name, file }) => `  ${name} (${relative(root, file)})`).join('\n')
  console.log(`\nFAILED, and run again:\n${names}\n`)
  result = await run(suspects.map((file, i) => entry(`again-${i}`, running([file]))))
  // What fails now and then is a fault too, to be looked into; the first failure stands above.
  if (result.code === 0) console.log(`\nFLAKY, passed when run again:\n${names}\n`)
}
rmSync(folder, { recursive: true, force: true })
if (result.ran === 0) console.error(`no test ran in ${files.length} files`)
process.exit(result.ran === 0 ? 1 : result.code)

/** Writes what one process runs. */
function entry(name, content) {
  const path = join(folder, `${relative('test', name).replaceAll('/', '-') || 'test'}.mjs`)
  writeFileSync(path, content)
  return path
}

/** Runs them: the exit code, the number of tests, and those that failed. */
async function run(entries) {
  const report = join(folder, 'report.jsonl')
  const runner = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', '--test', '--test-concurrency=2'],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...[`--test-reporter=${join(root, 'test/report-failures.js')}`, `--test-reporter-destination=${report}`],
      ...options,
      ...entries,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  // Who ends this program means the tests.
  const end = (signal) => runner.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  const [code, signal] = await once(runner, 'exit')
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end)
  const tests = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { code: signal ? 2 : code, ran: tests.length, failures: tests.filter((test) => !test.passed) }
}

/** The files of tests to which a failure belongs: one, or all of a folder where the test is defined by a helper and said nowhere. */
function filesOf({ name, file }) {
  const path = relative(root, file)
  if (files.includes(path)) return [path]
  const inFolder = files.filter((one) => dirname(one) === dirname(path))
  const named = inFolder.filter((one) => readFileSync(join(root, one), 'utf8').includes(name))
  return [named, inFolder, files].find((some) => some.length > 0)
}
