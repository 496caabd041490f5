import { computed } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { type Conversation, narrowOf } from '../reading/conversations.ts'
import { type Person, peopleByPresence, sharedNames } from '../reading/people.ts'
import { directRows } from '../reading/sidebar.ts'
import { subscribersOf } from '../reading/subscribers.ts'
import { perSession, type Session } from '../state/session.ts'
import { best, bestFolded, folded, foldedName } from './matching.ts'
import { MOST, type Suggestion } from './suggestion.ts'

/** The number of recent messages that determine the participants of a conversation. */
const LOOKED_AT = 100

type Sets = readonly ReadonlySet<number>[]

interface Candidate {
  person: Person
  text: string
}

/**
 * Everyone who can be mentioned: the first set, then the next and all others, in each first the users written to
 * recently, then present ones. Sorted once for all keys of a name, because there may be thousands.
 */
const candidatesOf = perSession((session) => {
  const recent = computed(() => new Set(directRows(session).value.flatMap(({ user_ids }) => user_ids)))
  let last: { people: readonly Person[]; sets: Sets; candidates: readonly Candidate[] } | undefined
  return (first: Sets): readonly Candidate[] => {
    const people = peopleByPresence(session).value
    const sets = [...first, recent.value]
    const isSame = last?.people === people && last.sets.length === sets.length
    if (!last || !isSame || !sets.every((set, i) => isEqual(set, last!.sets[i]!)))
      last = { people, sets, candidates: ordered(people, first, recent.value) }
    return last.candidates
  }
})

function ordered(people: readonly Person[], first: Sets, recent: ReadonlySet<number>): Candidate[] {
  const ranks: Candidate[][] = Array.from({ length: 2 * (first.length + 1) }, () => [])
  for (const person of people) {
    const at = first.findIndex((ids) => ids.has(person.user_id))
    const rank = 2 * (at === -1 ? first.length : at) + (recent.has(person.user_id) ? 0 : 1)
    ranks[rank]!.push({ person, text: foldedName(person.full_name) })
  }
  return ranks.flat()
}

const isEqual = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean =>
  a === b || (a.size === b.size && [...a].every((id) => b.has(id)))

/** Returns users that match a part of a name: the first set, then the next and all others. */
export const findPeople = (session: Session, query: string, most = MOST, first: Sets = []): Person[] =>
  bestFolded(candidatesOf(session)(first), folded(query), ({ text }) => text, most).map(({ person }) => person)

/** Recent senders in a conversation, as far as the page knows. */
function writersIn({ messages, state }: Session, conversation: Conversation): ReadonlySet<number> {
  const newest = messages.feed(narrowOf(conversation)).spans.at(-1)?.ids.slice(-LOOKED_AT) ?? []
  return new Set(newest.flatMap((id) => messages.get(id)?.sender_id ?? []).filter((id) => id !== state.user_id))
}

const wildcards: readonly [name: string, about: string, inStreamsOnly: boolean][] = [
  ['all', texts.compose.notifiesEveryone, false],
  ['everyone', texts.compose.notifiesEveryone, false],
  ['channel', texts.compose.notifiesChannel, true],
  ['stream', texts.compose.notifiesChannel, true],
  ['topic', texts.compose.notifiesTopic, true],
]

/** The people and groups that `@name` or, without a notification, `@_name` may refer to. */
export function findMentions(session: Session, word: string, target: Conversation | undefined): Suggestion[] {
  const [, sign = '@', query = ''] = /^(@_?)(?:\*\*)?(.*)$/u.exec(word) ?? []
  const { realm_user_groups } = session.state
  const shared = sharedNames(session).value
  const wanted = folded(query)
  const members = target?.type === 'stream' ? subscribersOf(session, target.stream_id).value : new Set(target?.user_ids)
  const here = target ? [writersIn(session, target), members] : []
  const people = findPeople(session, query, MOST, here).map(({ full_name, user_id, delivery_email }): Suggestion => {
    const name = shared.has(full_name) ? `${full_name}|${user_id}` : full_name
    return {
      label: full_name,
      ...(delivery_email && { detail: delivery_email }),
      user_id,
      insert: `${sign}**${name}** `,
    }
  })
  const groups = best(
    realm_user_groups.filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated),
    wanted,
    ({ name }) => name,
    MOST,
  ).map(
    ({ name, description }): Suggestion => ({
      label: name,
      detail: description || texts.compose.group,
      insert: `${sign}*${name}* `,
    }),
  )
  const everybody = wildcards
    .filter(
      ([name, , inStreams]) => wanted !== '' && name.startsWith(wanted) && !(inStreams && target?.type === 'direct'),
    )
    .map(([name, detail]): Suggestion => ({ label: name, detail, insert: `${sign}**${name}** ` }))
  // A name that is written to its end is meant; otherwise there is room for some of each kind.
  const exact = everybody.filter(({ label }) => label === wanted)
  const others = [...groups.slice(0, MOST / 2), ...everybody.filter(({ label }) => label !== wanted)]
  const room = Math.max(MOST / 2, MOST - exact.length - others.length)
  return [...exact, ...people.slice(0, room), ...others]
}
