// Runs the tests: `node test/run.js [part of a path]... [!part of a path to leave out]... [--option for the runner]...`
// @NOTE Node 20's own search finds no TypeScript and calls that success, so the files are found and counted here.
import { spawn } from 'node:child_process'
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
  const entry = join(folder, `${relative('test', name).replaceAll('/', '-') || 'test'}.mjs`)
  const reason = reasonToSkip(name)
  writeFileSync(entry, reason ? skipping(name, reason) : running(members))
  return entry
})
const tap = join(folder, 'results.tap')
const runner = spawn(
  process.execPath,
  [
    ...['--import', 'tsx', '--test', '--test-concurrency=2'],
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=tap', `--test-reporter-destination=${tap}`],
    ...options,
    ...entries,
  ],
  { cwd: root, stdio: 'inherit' },
)
// Who ends this program means the tests.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal))
runner.on('exit', (code, signal) => {
  const ran = Number(/^# tests (\d+)$/m.exec(readFileSync(tap, 'utf8'))?.[1] ?? 0)
  rmSync(folder, { recursive: true, force: true })
  if (ran === 0) console.error(`no test ran in ${files.length} files`)
  process.exit(signal || ran === 0 ? 1 : (code ?? 1))
})
