import * as v from 'valibot'
import { number, on, type Reader, type Skipped, skip, text, type View } from '../../format/event.ts'
import { link, topicName, untrustedLine } from '../../format/text.ts'

export const user = v.object({ login: v.string() })
export const repository = v.object({ name: v.string(), html_url: text, full_name: text })
export const common = { repository, sender: user }
export const action = v.string()
export const numbered = v.object({ number, title: v.string(), html_url: v.string(), body: text })
export const comment = v.object({ html_url: v.string(), body: text })
export type Named = { readonly login: string }
type Item = { readonly number: number; readonly title: string; readonly html_url: string }
export const who = ({ login }: Named) => untrustedLine(login)
export const ofPull = (repo: { name: string }, { number, title }: Pick<Item, 'number' | 'title'>) =>
  topicName(repo.name, `PR #${number} ${title}`)

export const ofIssue = (repo: { name: string }, { number, title }: Pick<Item, 'number' | 'title'>) =>
  topicName(repo.name, `issue #${number} ${title}`)

export const ofDiscussion = (repo: { name: string }, { number, title }: Pick<Item, 'number' | 'title'>) =>
  topicName(repo.name, `discussion #${number} ${title}`)

/** An item with its title where the topic doesn't show it. */
export const named = (kind: string, { number, title, html_url }: Item, { titled }: View) =>
  link(`${kind} #${number}${titled ? ` ${title}` : ''}`, html_url)

export const short = (sha: string) => sha.slice(0, 7)
/** A state of a run, such as `timed_out`, as words in bold. */
export const state = (name: string) => `**${untrustedLine(name.replaceAll('_', ' ')) || 'without a conclusion'}**`

export const unknown = (action: string): Skipped => skip(`The action "${action}" is not announced.`)
/** A reader that says "SENDER VERB THING", with a verb for each action that is announced. */
export const simple = <E extends v.ObjectEntries>(
  entries: E,
  verbs: Readonly<Record<string, string>>,
  thing: (event: v.InferOutput<v.ObjectSchema<E, undefined>>) => string,
  topic?: (event: v.InferOutput<v.ObjectSchema<E, undefined>>) => string,
): Reader => {
  const place = v.object({
    action,
    sender: user,
    repository: v.nullish(repository),
    organization: v.nullish(user),
  })
  const subject = v.object(entries)
  return (payload, event, view) =>
    on(place, ({ action, sender, repository: repo, organization }) => {
      const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
      if (verb === undefined) return unknown(action)
      return on(subject, (output) => ({
        topic: topicName(repo?.name ?? organization?.login ?? 'GitHub', ...(topic ? [topic(output)] : [])),
        content: `${who(sender)} ${verb} ${thing(output)}.`,
      }))(payload, event, view)
    })(payload, event, view)
}

export const pullItem = v.object({ number, title: v.string(), html_url: v.string() })
