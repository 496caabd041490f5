// `node --import tsx scripts/prose/run.ts` checks the prose of documents, comments, strings and test names
// against one list of phrases, and the subjects of commits that CI_BASE (origin/main or main unless set) doesn't have.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, commentTexts, markdownTexts, stringTexts, subjectProblem, type Text, testNames } from './check.ts'
import { notYetComments, notYetDocuments, notYetStrings, notYetTestNames } from './not-yet.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
const files = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n').filter(Boolean)
// With --all, also what is not rewritten yet.
const isAll = process.argv.includes('--all')

interface Kind {
  readonly wanted: RegExp
  readonly notYet: readonly string[]
  readonly textsOf: (source: string) => Text[]
}

const kinds: readonly Kind[] = [
  { wanted: /^(?!web\/texts\/).*\.md$/, notYet: notYetDocuments, textsOf: markdownTexts },
  {
    wanted: /^(?:src|bin|web|bench|scripts|test|examples)\/.*\.(?:ts|tsx|css)$/,
    notYet: notYetComments,
    textsOf: commentTexts,
  },
  { wanted: /^test\/.*\.test\.ts$/, notYet: notYetTestNames, textsOf: testNames },
  // Errors, log lines, output of commands, descriptions in the API document, and English texts of emails and of the page.
  {
    wanted:
      /^(?!src\/(?:core\/mail\/texts|http\/page-texts)\/(?!en\.|isolating|plural|languages))(?:src|bin)\/.*\.ts$|^web\/texts\/en.*\.ts$/,
    notYet: notYetStrings,
    textsOf: stringTexts,
  },
]

const problems = kinds.flatMap(({ wanted, notYet, textsOf }) =>
  files
    .filter((file) => wanted.test(file) && existsSync(join(root, file)) && !file.startsWith('scripts/prose/'))
    .filter((file) => isAll || !notYet.some((path) => file.startsWith(path)))
    .flatMap((file) =>
      check(textsOf(readFileSync(join(root, file), 'utf8'))).map(({ line, message }) => `${file}:${line}: ${message}`),
    ),
)

for (const line of newCommits()) {
  const [hash, subject = ''] = line.split('\t')
  const problem = subjectProblem(subject)
  if (problem) problems.push(`commit ${hash} "${subject}" ${problem}`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error(`\n${problems.length} texts to rewrite. CONTRIBUTING.md says how we write.`)
  process.exitCode = 1
}

/** Returns hashes and subjects of commits that the base doesn't have; none where the base is unknown, as in a shallow clone. */
function newCommits(): string[] {
  for (const base of process.env.CI_BASE ? [process.env.CI_BASE] : ['origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%h%x09%s', `${base}..HEAD`], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status === 0) return stdout.split('\n').filter(Boolean)
  }
  return []
}
