import { counted, link, untrustedLine } from './text.ts'

const MAX_COMMITS = 20

export interface Commit {
  id: string
  message: string
  url: string
}

export const branchOf = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')
export const isTag = (ref: string): boolean => ref.startsWith('refs/tags/')
const NOTHING = /^0+$/
/** Returns whether a commit id means that there is no commit. */
export const isNoCommit = (commit: string | null | undefined): boolean => !commit || NOTHING.test(commit)

/** Lists the first lines of commits, and only the first few of many. */
export function commitList(commits: readonly Commit[]): string {
  const lines = commits
    .slice(0, MAX_COMMITS)
    .map(({ id, message, url }) => `* ${untrustedLine(message.split('\n', 1)[0]!)} (${link(id.slice(0, 7), url)})`)
  const more = commits.length - lines.length
  return [...lines, ...(more > 0 ? [`* … and ${counted(more, 'more commit')}`] : [])].join('\n')
}
