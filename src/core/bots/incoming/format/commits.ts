import { code, counted, firstLine, link, listed, untrustedLine } from './text.ts'

const MAX_COMMITS = 20

export interface Commit {
  id: string
  message: string
  url: string
  /** Who wrote it, if the service says so. */
  author?: string | undefined
}

export const branchOf = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')
export const isTag = (ref: string): boolean => ref.startsWith('refs/tags/')
/** A commit's id as people write it. */
export const short = (commit: string): string => commit.slice(0, 7)
const NOTHING = /^0+$/
/** Returns whether a commit id means that there is no commit. */
export const isNoCommit = (commit: string | null | undefined): boolean => !commit || NOTHING.test(commit)

/** Who wrote how many of several commits, if it is more than the person who pushed them: "Commits by ann (2) and bob (1)." */
function authorsOf(commits: readonly Commit[], pusher: string): string {
  const counts = new Map<string, number>()
  for (const { author } of commits) if (author) counts.set(author, (counts.get(author) ?? 0) + 1)
  if (counts.size === 0 || (counts.size === 1 && counts.has(pusher))) return ''
  const shown = [...counts].sort((a, b) => b[1] - a[1])
  const names = shown.slice(0, 3).map(([name, count]) => `${untrustedLine(name)} (${count})`)
  const others = shown.slice(3).reduce((sum, [, count]) => sum + count, 0)
  return ` Commits by ${listed(others > 0 ? [...names, `others (${others})`] : names)}.`
}

interface Push {
  /** Who pushed. */
  by: string
  branch: string
  isNew: boolean
  isForced?: boolean | null | undefined
  /** The address of the changes. */
  compare: string
  commits: readonly Commit[]
  /** The number of commits, if not all of them are listed. */
  count?: number
}

/** A push of commits to a branch, with a list of them. */
export function pushed({ by, branch, isNew, isForced, compare, commits, count = commits.length }: Push): string {
  const verb = link(isForced ? 'force pushed' : 'pushed', compare)
  const what = count > 0 ? counted(count, 'commit') : 'nothing new'
  const to = `to ${isNew ? 'the new branch' : 'branch'} ${code(branch)}.`
  return `${untrustedLine(by)} ${verb} ${what} ${to}${authorsOf(commits, by)}\n\n${commitList(commits)}`.trim()
}

/** A list of commits, the first line of each; only the first of many. */
function commitList(commits: readonly Commit[]): string {
  const lines = commits
    .slice(0, MAX_COMMITS)
    .map(({ id, message, url }) => `* ${firstLine(message)} (${link(short(id), url)})`)
  const more = commits.length - lines.length
  return [...lines, ...(more > 0 ? [`* … and ${counted(more, 'more commit')}`] : [])].join('\n')
}
