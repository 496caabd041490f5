import { deleteQueue } from '../../../src/core/events/queues/poll.ts'
import { register } from '../../../src/core/events/queues/register.ts'
import { chunked } from '../../../src/core/kernel/base/lists.ts'
import { createApp } from '../../../src/http/index.ts'
import type { World } from '../../../src/testing/world.ts'
import { apiOk, getOk, idsOf, seedDrafts, seedLinkifiers, seedStreams, seedSubscriptions, seedUsers } from '../seeds.ts'
import { type Operation, of } from './operation.ts'

async function groupOf({ people: { iago } }: World, members: readonly number[], name = 'many'): Promise<number> {
  const answer = await iago.api.post('/user_groups/create', { name, description: '', members })
  if (answer.result !== 'success') throw new Error(answer.msg)
  return answer.group_id as number
}

/** Returns a function that sends requests as an identity provider does. */
async function scimClient({ chat, people: { iago } }: World) {
  const scopes = ['provision_groups']
  const made = await iago.api.post('/users/me/api_keys', { name: 'x', scopes, password: iago.password })
  const headers = { authorization: `Bearer ${made.api_key}`, 'content-type': 'application/scim+json' }
  const app = createApp({ chat, rateLimit: false })
  return async (method: string, path: string, document?: object): Promise<void> => {
    const body = document ? JSON.stringify(document) : null
    const response = await app.fetch(new Request(`http://localhost/scim/v2${path}`, { method, headers, body }))
    if (response.status !== 200) throw new Error(await response.text())
    await response.arrayBuffer()
  }
}

/** Users, groups, and clients that start. */
export const peopleOperations: readonly Operation[] = [
  {
    name: 'making a group of 10,000',
    action: 'createGroup',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      return () => apiOk(w.people.iago.api.post('/user_groups/create', { name: 'many', description: '', members }))
    },
  },
  {
    name: 'deactivating somebody in 2,000 streams',
    action: 'deactivateUser',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 2000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      return () => apiOk(w.people.iago.api.delete(`/users/${w.people.hamlet.id}`))
    },
  },
  {
    name: 'registering among 10,000 users and 1,000 streams',
    action: 'register',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      const streams = await seedStreams(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      return () => apiOk(w.people.hamlet.api.post('/register', {}))
    },
  },
  {
    name: '500 clients registering at once',
    action: 'register',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      const streams = await seedStreams(w, of(share, 1000))
      const { hamlet, cordelia, iago } = w.people
      await seedSubscriptions(w, [hamlet.id, cordelia.id], idsOf(streams))
      const crowd = Array.from({ length: of(share, 500) }, (_, i) => [hamlet, cordelia, iago][i % 3]!)
      // A user has at most 100 queues, so the previous ones end first.
      const what = { event_types: ['message'], fetch_event_types: ['realm_user', 'stream', 'subscription'] }
      return async () => {
        for (let start = 0; start < crowd.length; start += 200) {
          const some = crowd.slice(start, start + 200)
          const queues = await Promise.all(some.map((person) => register(person, what)))
          await Promise.all(queues.map(({ queue_id }, i) => deleteQueue(some[i]!, { queue_id })))
        }
      }
    },
  },
  {
    name: 'registering with 10,000 drafts',
    action: 'register',
    async prepare(w, share) {
      await seedDrafts(w, w.people.hamlet.id, of(share, 10_000))
      return () => apiOk(w.people.hamlet.api.post('/register', {}))
    },
  },
  {
    name: 'adding 10,000 to a group',
    action: 'changeMembers',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const group = await groupOf(w, [])
      return () => apiOk(w.people.iago.api.post(`/user_groups/${group}/members`, { add: members }))
    },
  },
  {
    name: 'removing 10,000 from a group',
    action: 'changeMembers',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const group = await groupOf(w, members)
      return () => apiOk(w.people.iago.api.post(`/user_groups/${group}/members`, { delete: members }))
    },
  },
  {
    name: 'putting 1,000 groups into a group',
    action: 'changeSubgroups',
    async prepare(w, share) {
      const add: number[] = []
      for (let i = 0; i < of(share, 1000); i++) add.push(await groupOf(w, [], `inner ${i}`))
      const group = await groupOf(w, [])
      return () => apiOk(w.people.iago.api.post(`/user_groups/${group}/subgroups`, { add }))
    },
  },
  {
    name: 'the members of a group of 10,000',
    action: 'listMembers',
    async prepare(w, share) {
      const group = await groupOf(w, await seedUsers(w, of(share, 10_000)))
      return getOk(w, w.people.hamlet, `/user_groups/${group}/members`)
    },
  },
  {
    name: 'listing 1,000 groups, one of them of 10,000',
    action: 'listGroups',
    async prepare(w, share) {
      await groupOf(w, await seedUsers(w, of(share, 10_000)))
      for (let i = 0; i < of(share, 1000); i++) await groupOf(w, [], `small ${i}`)
      return getOk(w, w.people.hamlet, '/user_groups')
    },
  },
  {
    name: 'listing 200 groups of 10,000 by SCIM',
    async prepare(w, share) {
      const { iago } = w.people
      const members = await seedUsers(w, of(share, 10_000))
      for (let i = 0; i < of(share, 200); i++) {
        const group_id = await groupOf(w, [], `group ${i}`)
        for (const part of chunked(members))
          await iago.write(async ({ db }) => {
            const rows = part.map((user_id) => ({ group_id, user_id }))
            await db.insertInto('user_group_member').values(rows).execute()
          })
      }
      const send = await scimClient(w)
      return () => send('GET', '/Groups?count=200')
    },
  },
  {
    name: 'exchanging the 10,000 members of a group by SCIM',
    async prepare(w, share) {
      const people = await seedUsers(w, of(share, 20_000))
      const half = people.length / 2
      const group = await groupOf(w, people.slice(0, half))
      const send = await scimClient(w)
      const members = people.slice(half).map((id) => ({ value: String(id) }))
      return () => send('PUT', `/Groups/${group}`, { displayName: 'many', members })
    },
  },
  {
    name: 'adding one to a group of 10,000 by SCIM',
    async prepare(w, share) {
      const people = await seedUsers(w, of(share, 10_000))
      const group = await groupOf(w, people.slice(1))
      const send = await scimClient(w)
      const Operations = [{ op: 'add', path: 'members', value: [{ value: String(people[0]) }] }]
      return () => send('PATCH', `/Groups/${group}`, { Operations })
    },
  },
  {
    name: 'bringing back somebody in 2,000 streams',
    action: 'reactivateUser',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 2000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      await apiOk(w.people.iago.api.delete(`/users/${w.people.hamlet.id}`))
      return () => apiOk(w.people.iago.api.post(`/users/${w.people.hamlet.id}/reactivate`))
    },
  },
  {
    name: 'making somebody in 2,000 streams a guest',
    action: 'updateUser',
    async prepare(w, share) {
      await seedUsers(w, of(share, 10_000))
      const streams = await seedStreams(w, of(share, 2000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      return () => apiOk(w.people.iago.api.patch(`/users/${w.people.hamlet.id}`, { role: 600 }))
    },
  },
  {
    name: 'ordering 1,000 linkifiers',
    action: 'reorderLinkifiers',
    async prepare(w, share) {
      await seedLinkifiers(w, of(share, 1000))
      const rows = await w.people.iago.db.selectFrom('linkifier').select('id').orderBy('id', 'desc').execute()
      return () => apiOk(w.people.iago.api.patch('/realm/linkifiers', { ordered_linkifier_ids: idsOf(rows) }))
    },
  },
  {
    name: 'inviting as many as one may at once',
    action: 'sendInvites',
    async prepare(w, share) {
      const emails = Array.from({ length: of(share, 100) }, (_, i) => `new${i}@example.com`).join()
      const what = { invitee_emails: emails, stream_ids: [await w.streamId('general')] }
      return () => apiOk(w.people.iago.api.post('/invites', what))
    },
  },
]
