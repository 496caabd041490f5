import * as v from 'valibot'
import { branchOf, isNoCommit, pushed } from '../../format/commits.ts'
import { announcesBranch, number, on, skippedBranch, text } from '../../format/event.ts'
import { code, topicName, untrustedLine } from '../../format/text.ts'
import { project } from './shapes.ts'

export const push = on(
  v.object({
    project,
    user_name: v.string(),
    ref: v.string(),
    before: text,
    after: text,
    total_commits_count: v.nullish(number, 0),
    commits: v.nullish(
      v.array(
        v.object({ id: v.string(), message: v.string(), url: v.string(), author: v.nullish(v.object({ name: text })) }),
      ),
      [],
    ),
  }),
  ({ project: { name, web_url }, user_name, ref, before, after, total_commits_count, commits }, view) => {
    const branch = branchOf(ref)
    if (!announcesBranch(view, branch)) return skippedBranch(branch)
    const topic = topicName(name, branch)
    if (isNoCommit(after)) return { topic, content: `${untrustedLine(user_name)} deleted the branch ${code(branch)}.` }
    const isNew = isNoCommit(before)
    const content = pushed({
      by: user_name,
      branch,
      isNew,
      compare: isNew ? web_url : `${web_url}/-/compare/${before}...${after}`,
      commits: commits.map(({ author, ...commit }) => ({ ...commit, author: author?.name || undefined })),
      count: Math.max(total_commits_count, commits.length),
    })
    return { topic, content }
  },
)

export const tagPush = on(
  v.object({ project, user_name: v.string(), ref: v.string(), after: text }),
  ({ project: { name }, user_name, ref, after }) => ({
    topic: topicName(name, branchOf(ref)),
    content: `${untrustedLine(user_name)} ${isNoCommit(after) ? 'deleted' : 'pushed'} the tag ${code(branchOf(ref))}.`,
  }),
)
