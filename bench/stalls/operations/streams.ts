import { apiOk, idsOf, seedStreams, seedSubscriptions, seedTopic, seedUsers } from '../seeds.ts'
import { type Operation, of } from './operation.ts'

/** Streams and subscriptions. */
export const streamsOperations: readonly Operation[] = [
  {
    name: 'leaving 20,000 streams',
    action: 'unsubscribe',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      const subscriptions = streams.map((stream) => stream.name)
      return () => apiOk(w.people.hamlet.api.delete('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'joining 20,000 streams',
    action: 'subscribe',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      const subscriptions = streams.map(({ name }) => ({ name }))
      return () => apiOk(w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'making 5,000 streams',
    action: 'subscribe',
    async prepare(w, share) {
      const subscriptions = Array.from({ length: of(share, 5000) }, (_, i) => ({ name: `new ${i}` }))
      return () => apiOk(w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions }))
    },
  },
  {
    name: 'subscribing 10,000 people to a stream',
    action: 'subscribe',
    async prepare(w, share) {
      const principals = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      const subscriptions = [{ name: stream!.name }]
      return () => apiOk(w.people.iago.api.post('/users/me/subscriptions', { subscriptions, principals }))
    },
  },
  {
    name: 'unsubscribing 10,000 people from a stream',
    action: 'unsubscribe',
    async prepare(w, share) {
      const principals = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, principals, [stream!.id])
      await seedTopic(w, stream!, 'unread', 1000)
      const subscriptions = [stream!.name]
      return () => apiOk(w.people.iago.api.delete('/users/me/subscriptions', { subscriptions, principals }))
    },
  },
  {
    name: 'archiving a stream of 10,000',
    action: 'archiveStream',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      await seedTopic(w, stream!, 'many', of(share, 20_000), { senders: members })
      return () => apiOk(w.people.iago.api.delete(`/streams/${stream!.id}`))
    },
  },
  {
    name: 'making a stream of 10,000 private',
    action: 'updateStream',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      return () => apiOk(w.people.iago.api.patch(`/streams/${stream!.id}`, { is_private: true }))
    },
  },
  {
    name: 'bringing back an archived stream of 10,000',
    action: 'updateStream',
    async prepare(w, share) {
      const members = await seedUsers(w, of(share, 10_000))
      const [stream] = await seedStreams(w, 1)
      await seedSubscriptions(w, [w.people.iago.id, ...members], [stream!.id])
      await apiOk(w.people.iago.api.delete(`/streams/${stream!.id}`))
      return () => apiOk(w.people.iago.api.patch(`/streams/${stream!.id}`, { is_archived: false }))
    },
  },
  {
    name: 'changing the colours of 1,000 subscriptions',
    action: 'updateProperties',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 1000))
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(streams))
      const subscription_data = idsOf(streams).map((stream_id) => ({ stream_id, property: 'color', value: '#123456' }))
      return () => apiOk(w.people.hamlet.api.post('/users/me/subscriptions/properties', { subscription_data }))
    },
  },
  {
    name: 'leaving and joining 10,000 streams each in one request',
    action: 'changeSubscriptions',
    async prepare(w, share) {
      const streams = await seedStreams(w, of(share, 20_000))
      const old = streams.slice(0, streams.length / 2)
      await seedSubscriptions(w, [w.people.hamlet.id], idsOf(old))
      const remove = old.map((stream) => stream.name)
      const add = streams.slice(old.length).map(({ name }) => ({ name }))
      return () => apiOk(w.people.hamlet.api.patch('/users/me/subscriptions', { delete: remove, add }))
    },
  },
  {
    name: 'a group of default streams with 1,000 streams',
    action: 'createStreamGroup',
    async prepare(w, share) {
      const stream_names = (await seedStreams(w, of(share, 1000))).map((stream) => stream.name)
      const group = { group_name: 'Many', description: '', stream_names }
      return () => apiOk(w.people.iago.api.post('/default_stream_groups/create', group))
    },
  },
]
