// `node --import tsx scripts/size.ts [BEFORE] [AFTER]` prints the lines of each part of the repository at two commits.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 })
const [before = 'HEAD~1', after = 'HEAD'] = process.argv.slice(2)

const code = /\.(?:ts|tsx|css|js|mjs)$/
const parts: Readonly<Record<string, RegExp>> = {
  src: /^src\//,
  'names of emoji in TypeScript': /emoji\/(?:names|catalogue|codes).*\.ts$/,
  migrations: /^src\/storage\/migrations\//,
  'generated and committed': /^(?:src\/client\/operations\.ts|docs\/imports\.md|docs\/operate\/options\.md)$/,
  web: /^web\//,
  bench: /^bench\//,
  scripts: /^scripts\//,
  test: /^test\//,
}

/** Returns the lines of the files at a commit, by path. */
function linesAt(commit: string): Map<string, number> {
  // The empty tree: every line of the commit counts as added.
  const text = git('diff', '--numstat', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', commit)
  return new Map(
    text.split('\n').flatMap((line) => {
      const [added, , path] = line.split('\t')
      return path && added !== '-' ? [[path, Number(added)] as const] : []
    }),
  )
}

/** Returns the comment lines of TypeScript at a commit. */
const commentsAt = (commit: string): number =>
  git('grep', '-hcE', '^ *(\\*|/\\*|//)', commit, '--', 'src', 'web', 'bench', 'scripts')
    .split('\n')
    .reduce((sum, count) => sum + Number(count), 0)

const [old, now] = [linesAt(before), linesAt(after)]
const sum = (lines: Map<string, number>, wanted: RegExp): number =>
  [...lines].reduce(
    (total, [path, count]) => (wanted.test(path) && (code.test(path) || path.endsWith('.md')) ? total + count : total),
    0,
  )

const rows = Object.entries(parts).map(([name, wanted]) => [name, sum(old, wanted), sum(now, wanted)] as const)
for (const [name, from, to] of [...rows, ['comments', commentsAt(before), commentsAt(after)] as const])
  console.log(
    `${name.padEnd(30)} ${String(from).padStart(7)} ${String(to).padStart(7)} ${String(to - from).padStart(7)}`,
  )
