import { addUser } from '../core/accounts/create.ts'
import { createOrganization } from '../core/accounts/create-organization.ts'
import { issueKey } from '../core/accounts/keys.ts'
import { hashPassword } from '../core/accounts/passwords.ts'
import { createGroup } from '../core/groups/create.ts'
import type { Chat } from '../core/kernel/chat.ts'
import { check } from '../core/kernel/check.ts'
import { onBehalfOf, type Tx } from '../core/kernel/context.ts'
import { roles } from '../core/kernel/roles.ts'
import { storeOf } from '../core/kernel/store.ts'
import { findUser } from '../core/kernel/user.ts'
import { addReaction } from '../core/messages/reactions.ts'
import { subscribeToDefaults } from '../core/streams/default-streams.ts'
import { joinStreams } from '../core/streams/subscriptions/join-streams.ts'
import { subscribeParams } from '../core/streams/subscriptions/subscribe-params.ts'
import { PASSWORD, type Person, personOf } from './person.ts'
import { type GroupSeed, type MessageSeed, type PersonSeed, peopleOf, type WorldSeed } from './seed.ts'

/** Facts about a seeded chat that the database alone doesn't have. */
export interface Seeded {
  readonly people: Readonly<Record<string, Person>>
  /** Ids of the seed's messages, in its order. */
  readonly message_ids: readonly number[]
}

/** Creates the organization of a seed in an empty chat. */
export async function seedChat(chat: Chat, seed: WorldSeed): Promise<Seeded> {
  const owner = await createOrganization(chat, {
    org: seed.org ?? 'Elsinore',
    owner_email: 'iago@example.com',
    owner_name: 'iago',
    owner_password: PASSWORD,
  })
  const iago = personOf(chat, (await findUser(storeOf(chat).db, owner.user_id))!, owner.api_key)
  const people: Record<string, Person> = { iago }
  const password_hash = await hashPassword(PASSWORD, chat.options.passwordCost)
  for (const [name, about] of peopleOf(seed)) {
    people[name] = await iago.write((tx) => addPerson(tx, name, about, password_hash))
  }
  await seedStreams(people, seed)
  await seedGroups(people, seed)
  const message_ids: number[] = []
  for (const message of seed.messages ?? []) message_ids.push(await say(people, message))
  return { people, message_ids }
}

async function addPerson(tx: Tx, name: string, about: PersonSeed, password_hash: string): Promise<Person> {
  const user = await addUser(tx, {
    email: about.email ?? `${name}@example.com`,
    full_name: name,
    role: roles[about.role ?? 'member'],
    password_hash: about.bot ? null : password_hash,
    ...(about.bot && { bot_type: 1, bot_owner_id: tx.user.id }),
  })
  // Bots aren't subscribed automatically.
  if (about.bot) await subscribeToDefaults(onBehalfOf(tx, user), [user])
  return personOf(tx.chat, user, await issueKey(tx, user.id))
}

async function seedStreams(people: Seeded['people'], { streams = {} }: WorldSeed): Promise<void> {
  for (const [name, stream] of Object.entries(streams)) {
    const members = (stream.members ?? ['iago']).map((member) => known(people, member))
    const requested = check(subscribeParams, {
      subscriptions: [{ name }],
      invite_only: stream.private ?? false,
      history_public_to_subscribers: stream.private ? (stream.sharedHistory ?? false) : true,
    })
    // Without notices, because a world has only the messages that its seed names.
    const users = members.map(({ user }) => user)
    await joinStreams(people.iago!, requested, users)
    for (const [topic, said] of Object.entries(stream.topics ?? {})) {
      const contents = typeof said === 'number' ? Array.from({ length: said }, (_, i) => `${topic} ${i + 1}`) : said
      for (const [i, content] of contents.entries()) {
        await members[i % members.length]!.says(content, { stream: name, topic })
      }
    }
  }
}

async function seedGroups(people: Seeded['people'], { groups = {} }: WorldSeed): Promise<void> {
  const ids = new Map<string, number>()
  for (const [name, seed] of Object.entries(groups)) {
    const { members, description = '', subgroups = [] }: GroupSeed = 'members' in seed ? seed : { members: seed }
    const { group_id } = await createGroup(people.iago!, {
      name,
      description,
      members: members.map((member) => known(people, member).id),
      subgroups: subgroups.map((inner) => {
        const id = ids.get(inner)
        if (id === undefined) throw new Error(`the group ${name} contains ${inner}, which is not named before it`)
        return id
      }),
    })
    ids.set(name, group_id)
  }
}

async function say(people: Seeded['people'], { from, to, content, reactions = {}, ...where }: MessageSeed) {
  const addressees = to && { people: to.map((name) => known(people, name)) }
  const { id } = await known(people, from).says(content, addressees ?? where)
  for (const [emoji_name, names] of Object.entries(reactions)) {
    for (const name of names) await addReaction(known(people, name), { message_id: id, emoji_name })
  }
  return id
}

function known(people: Seeded['people'], name: string): Person {
  const person = people[name]
  if (!person) throw new Error(`nobody in this world is called ${name}`)
  return person
}
