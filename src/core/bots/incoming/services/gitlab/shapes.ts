import * as v from 'valibot'
import { number, text, type View, wordFor } from '../../format/event.ts'
import { link, topicName, untrustedLine } from '../../format/text.ts'

export const project = v.object({ name: v.string(), web_url: text })
export const user = v.object({ name: v.string() })
export const people = v.nullish(v.array(user), [])
export const common = { project, user }
export const numbered = { iid: number, title: v.string(), url: text }

type Item = { readonly iid: number; readonly title: string; readonly url?: string | null | undefined }

export const who = ({ name }: { name: string }) => untrustedLine(name)

export const ofMerge = (name: string, { iid, title }: Item, { titlesInTopics }: View) =>
  topicName(name, titlesInTopics ? `MR !${iid} ${title}` : `MR !${iid}`)
export const ofIssue = (name: string, { iid, title }: Item) => topicName(name, `issue #${iid} ${title}`)
export const merge = ({ iid, title, url }: Item, { titled }: View) =>
  link(`MR !${iid}${titled ? ` ${title}` : ''}`, url)
export const issueNamed = ({ iid, title, url }: Item, { titled }: View) =>
  link(`issue #${iid}${titled ? ` ${title}` : ''}`, url)

const states: Readonly<Record<string, string>> = {
  success: 'passed',
  manual: 'waiting for a person',
  created: 'created',
}
export const inWords = (status: string) =>
  `**${wordFor(states, status) ?? untrustedLine(status.replaceAll('_', ' '))}**`
