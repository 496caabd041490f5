import * as v from 'valibot'
import { authorsOf, branchOf, commitList } from '../../format/commits.ts'
import { announcesBranch, on, skip, text } from '../../format/event.ts'
import { code, counted, link, topicName, untrustedLine } from '../../format/text.ts'
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
      if (kind === 'branch' && !announcesBranch(view, name)) return skip(`The address leaves the branch ${name} out.`)
      if (deleted) return { topic, content: `${who(sender)} deleted the ${kind} ${code(name)}.` }
      if (kind === 'tag') return { topic, content: `${who(sender)} pushed the tag ${code(name)}.` }
      const verb = forced ? 'force pushed' : 'pushed'
      const what = commits.length ? counted(commits.length, 'commit') : 'nothing new'
      const to = `to ${created ? 'the new branch' : 'branch'} ${code(name)}.`
      const shown = commits.map(({ author, ...commit }) => ({
        ...commit,
        author: author?.username || undefined,
      }))
      return {
        topic,
        content:
          `${who(sender)} ${link(verb, compare)} ${what} ${to}${authorsOf(shown, sender.login)}\n\n${commitList(shown)}`.trim(),
      }
    },
  )

export const made = (verb: string) =>
  on(v.object({ ...common, ref: v.string(), ref_type: v.string() }), ({ repository, sender, ref, ref_type }) => ({
    topic: topicName(repository.name, ref),
    content: `${who(sender)} ${verb} the ${untrustedLine(ref_type)} ${code(ref)}.`,
  }))
