import * as v from 'valibot'
import { number, on, type Reader, skippedAction, text, type View, wordFor } from '../../format/event.ts'
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
const topicOf =
  (kind: string) =>
  (repo: { name: string }, { number, title }: Pick<Item, 'number' | 'title'>) =>
    topicName(repo.name, `${kind} #${number} ${title}`)
export const ofPull = topicOf('PR')
export const ofIssue = topicOf('issue')
export const ofDiscussion = topicOf('discussion')

/** An item with its title where the topic doesn't show it. */
export const named = (kind: string, { number, title, html_url }: Item, { titled }: View) =>
  link(`${kind} #${number}${titled ? ` ${title}` : ''}`, html_url)

/** A state of a run, such as `timed_out`, as words in bold. */
export const state = (name: string) => `**${untrustedLine(name.replaceAll('_', ' ')) || 'without a conclusion'}**`

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
      const verb = wordFor(verbs, action)
      if (verb === undefined) return skippedAction(action)
      return on(subject, (output) => ({
        topic: topicName(repo?.name ?? organization?.login ?? 'GitHub', ...(topic ? [topic(output)] : [])),
        content: `${who(sender)} ${verb} ${thing(output)}.`,
      }))(payload, event, view)
    })(payload, event, view)
}

export const pullItem = v.object({ number, title: v.string(), html_url: v.string() })
