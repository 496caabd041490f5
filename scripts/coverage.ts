// `npm run coverage` runs the tests and fails where too little of src is run by them. Files that hold only types, of which
// nothing is left to run, are not counted: there is nothing in them that a test could miss.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { files, root } from './imports.ts'

const LINES = 98
const BRANCHES = 96

const isTypesOnly = (file: string): boolean =>
  transformSync(readFileSync(join(root, file), 'utf8'), { loader: 'ts', minify: true }).code.trim() === ''

/** What only runs on PostgreSQL is run by the tests there: `npm run test:postgres`. */
const isPostgres = (file: string): boolean =>
  file.startsWith('src/storage/postgres/') || /\/(follow-peers|peer-changes|shared-counters)\.ts$/.test(file)

const excluded = files.filter((file) => file.startsWith('src/') && (isTypesOnly(file) || isPostgres(file)))

execFileSync(
  'npx',
  [
    ...['c8', '--all', '--src', 'src', '--include', 'src/**'],
    ...excluded.flatMap((file) => ['--exclude', file]),
    ...['--check-coverage', '--lines', `${LINES}`, '--branches', `${BRANCHES}`],
    ...[process.execPath, 'test/run.js', ...process.argv.slice(2)],
  ],
  { cwd: root, stdio: 'inherit' },
)
