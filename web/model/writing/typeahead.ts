import type { Conversation } from '../reading/conversations.ts'
import { type Person, peopleByPresence } from '../reading/people.ts'
import { directRows } from '../reading/sidebar.ts'
import { subscribersOf } from '../reading/subscribers.ts'
import { topicsOf } from '../reading/topics.ts'
import type { Session } from '../state/session.ts'
import { findEmoji, loadEmoji } from './emoji.ts'
import { best, folded } from './matching.ts'
import type { Emoji } from './react.ts'

/** Something that the word before the caret may be meant for. */
export interface Suggestion {
  key: string
  label: string
  /** What tells it from others of the same name. */
  detail?: string
  emoji?: Emoji
  user_id?: number
  /** What takes the place of the word. */
  insert: string
}

export interface Suggestions {
  /** Where in the text the word begins and ends. */
  from: number
  to: number
  items: readonly Suggestion[]
}

const MOST = 8
const WORD =
  /(?:^|[\s([{"'])((?:@_?|#|:)(?:\*\*)?[^\s@#:*>][^@#:*\n]{0,40}|@_?|#|#\*\*[^*\n>]+>[^*\n]*|:[a-z0-9_+-]{2,40})$/iu

/** What the word before the caret may be meant for; nothing where it begins like none. */
export function suggest(
  session: Session,
  text: string,
  caret: number,
  target: Conversation | undefined,
): Suggestions | undefined {
  const [, word] = WORD.exec(text.slice(Math.max(0, caret - 60), caret)) ?? []
  if (word === undefined) return undefined
  const find = finders.find(([sign]) => sign.test(word))
  if (!find) return undefined
  const items = find[1](session, word, target)
  return items.length > 0 ? { from: caret - word.length, to: caret, items: items.slice(0, MOST) } : undefined
}

type Finder = (session: Session, word: string, target: Conversation | undefined) => Suggestion[]

const finders: readonly [RegExp, Finder][] = [
  [/^#\*\*[^>]+>/, findTopics],
  [/^@/, findMentions],
  [/^#/, findStreams],
  [
    /^:/,
    (session, word) => {
      loadEmoji()
      return findEmoji(session, word.slice(1), MOST).map((emoji) => ({
        key: emoji.reaction_type + emoji.emoji_code,
        label: emoji.emoji_name.replaceAll('_', ' '),
        emoji,
        insert: `:${emoji.emoji_name}: `,
      }))
    },
  ],
]

const nobody: ReadonlySet<number> = new Set()

/** People with those of `first` before all, each part with those first who were written to recently, then those who are there. */
export function findPeople(
  session: Session,
  query: string,
  most = MOST,
  first: ReadonlySet<number> = nobody,
): Person[] {
  const recent = new Set(directRows(session).value.flatMap(({ user_ids }) => user_ids))
  const people = peopleByPresence(session).value
  const ranks: Person[][] = [[], [], [], []]
  for (const person of people) {
    const rank = (first.has(person.user_id) ? 0 : 2) + (recent.has(person.user_id) ? 0 : 1)
    ranks[rank]!.push(person)
  }
  const ordered = ranks.flat()
  return best(ordered, folded(query), ({ full_name }) => full_name, most)
}

function findMentions(session: Session, word: string, target: Conversation | undefined): Suggestion[] {
  const [, sign = '@', query = ''] = /^(@_?)(?:\*\*)?(.*)$/u.exec(word) ?? []
  const { realm_user_groups, realm_users } = session.state
  const here = target?.type === 'stream' ? subscribersOf(session, target.stream_id).value : new Set(target?.user_ids)
  const people = findPeople(session, query, MOST, here).map(({ full_name, user_id, delivery_email }): Suggestion => {
    const ambiguous = realm_users.some((one) => one.full_name === full_name && one.user_id !== user_id)
    const name = ambiguous ? `${full_name}|${user_id}` : full_name
    return {
      key: `u${user_id}`,
      label: full_name,
      ...(delivery_email && { detail: delivery_email }),
      user_id,
      insert: `${sign}**${name}** `,
    }
  })
  const groups = best(
    realm_user_groups.filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated),
    folded(query),
    ({ name }) => name,
    MOST,
  ).map(
    ({ id, name, description }): Suggestion => ({
      key: `g${id}`,
      label: name,
      detail: description || 'group',
      insert: `${sign}*${name}* `,
    }),
  )
  const everybody = ['all', 'topic']
    .filter((name) => query !== '' && name.startsWith(folded(query)))
    .map(
      (name): Suggestion => ({
        key: name,
        label: name,
        detail: name === 'all' ? 'notifies everybody here' : 'notifies who takes part in the topic',
        insert: `${sign}**${name}** `,
      }),
    )
  return [...people, ...groups, ...everybody]
}

function findStreams(session: Session, word: string): Suggestion[] {
  const query = word.replace(/^#(\*\*)?/, '')
  const { subscriptions, streams } = session.state
  const own = new Set(subscriptions.map(({ stream_id }) => stream_id))
  const all = [...subscriptions, ...streams.filter(({ stream_id }) => !own.has(stream_id))]
  const ordered = all.filter(({ is_archived }) => !is_archived)
  return best(ordered, folded(query), ({ name }) => name, MOST).map(({ stream_id, name, description }) => ({
    key: `s${stream_id}`,
    label: name,
    detail: description,
    insert: `#**${name}** `,
  }))
}

function findTopics(session: Session, word: string): Suggestion[] {
  const [, name = '', query = ''] = /^#\*\*([^>]+)>(.*)$/u.exec(word) ?? []
  const stream = session.state.streams.find((one) => folded(one.name) === folded(name))
  if (!stream) return []
  const topics = topicsOf(session, stream.stream_id).value ?? []
  return best(topics, folded(query), (topic) => topic.name, MOST).map((topic) => ({
    key: `t${topic.name}`,
    label: topic.name,
    detail: stream.name,
    insert: `#**${stream.name}>${topic.name}** `,
  }))
}
