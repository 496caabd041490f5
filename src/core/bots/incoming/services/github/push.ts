import * as v from 'valibot'
import { branchOf, pushed } from '../../format/commits.ts'
import { announcesBranch, on, skippedBranch, text } from '../../format/event.ts'
import { code, topicName, untrustedLine } from '../../format/text.ts'
import { common, who } from './shapes.ts'

export const pushOf = (kind: 'branch' | 'tag') =>
  on(
    v.object({
      ...common,
      ref: v.string(),
      compare: text,
      created: v.nullish(v.boolean()),
      deleted: v.nullish(v.boolean()),
      forced: v.nullish(v.boolean()),
      commits: v.nullish(
        v.array(
          v.object({
            id: v.string(),
            message: v.string(),
            url: v.string(),
            author: v.nullish(v.object({ username: text })),
          }),
        ),
        [],
      ),
    }),
    ({ repository, sender, ref, compare, created, deleted, forced, commits }, view) => {
      const name = branchOf(ref)
      const topic = topicName(repository.name, name)
      if (kind === 'branch' && !announcesBranch(view, name)) return skippedBranch(name)
      if (deleted) return { topic, content: `${who(sender)} deleted the ${kind} ${code(name)}.` }
      if (kind === 'tag') return { topic, content: `${who(sender)} pushed the tag ${code(name)}.` }
      const content = pushed({
        by: sender.login,
        branch: name,
        isNew: created === true,
        isForced: forced,
        compare,
        commits: commits.map(({ author, ...commit }) => ({ ...commit, author: author?.username || undefined })),
      })
      return { topic, content }
    },
  )

export const made = (verb: string) =>
  on(v.object({ ...common, ref: v.string(), ref_type: v.string() }), ({ repository, sender, ref, ref_type }) => ({
    topic: topicName(repository.name, ref),
    content: `${who(sender)} ${verb} the ${untrustedLine(ref_type)} ${code(ref)}.`,
  }))
