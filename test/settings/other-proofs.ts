import type { GroupSettingName } from '../../src/core/groups/settings.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { mobilePushOf } from '../../src/core/messages/send/message-workers.ts'
import type { NamesWithEffect } from '../../src/core/settings/setting.ts'
import type { userSettings } from '../../src/core/settings/user.ts'
import type { StreamSettingName } from '../../src/core/streams/settings.ts'
import { apiOf, type World } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'
import { pushDevice } from '../push/device.ts'
import { policiesOf } from '../streams/policies.ts'
import { create, emailsAfter, emailsInTwoWeeks, outcome, type Proof, psst, set } from './proofs.ts'

/** How often each notification of hamlet's device was tried. */
async function attemptsAfter(w: World, act: () => Promise<unknown>): Promise<number[]> {
  await pushDevice(w, w.people.hamlet)
  await act()
  await mobilePushOf(w.chat).settled()
  const rows = await storeOf(w.chat).db.selectFrom('push_delivery').select('attempts').execute()
  return rows.map(({ attempts }) => attempts)
}

/** Each is one of hamlet's own settings. */
export const userProofs: Record<NamesWithEffect<typeof userSettings, 'server'>, Proof> = {
  automatically_follow_topics_policy: {
    value: 2,
    try: async ({ people: { hamlet, iago } }) => {
      await iago.says('first', { topic: 'theirs' })
      const post = { type: 'stream', to: 'general', content: 'word' }
      for (const topic of ['own', 'theirs']) await hamlet.api.post('/messages', { ...post, topic })
      return policiesOf(hamlet)
    },
    outcomes: [{ own: 3 }, { own: 3, theirs: 3 }],
  },
  automatically_unmute_topics_in_muted_streams_policy: {
    value: 4,
    try: async (w) => {
      const { hamlet, iago } = w.people
      const subscription_data = [{ stream_id: await w.streamId('hall'), property: 'is_muted', value: true }]
      await hamlet.api.post('/users/me/subscriptions/properties', { subscription_data })
      await iago.says('first', { stream: 'hall', topic: 'theirs' })
      await hamlet.api.post('/messages', { type: 'stream', to: 'hall', topic: 'theirs', content: 'word' })
      return policiesOf(hamlet)
    },
    outcomes: [{ theirs: 2 }, {}],
  },
  automatically_follow_topics_where_mentioned: {
    value: false,
    try: async ({ people: { hamlet, cordelia } }) => {
      await cordelia.says('to @**hamlet**', { topic: 'plot' })
      return policiesOf(hamlet)
    },
    outcomes: [{ plot: 3 }, {}],
  },
  resolved_topic_notice_auto_read_policy: {
    value: 'always',
    try: async ({ people: { hamlet, iago } }) => {
      const { id } = await hamlet.says('word', { topic: 'plot' })
      const received = await listen(hamlet, ['message'])
      await iago.api.patch(`/messages/${id}`, { topic: '✔ plot', propagate_mode: 'change_all' })
      return (await received()).map(({ flags }) => flags)
    },
    outcomes: [[[]], [['read']]],
  },
  enable_offline_push_notifications: {
    value: false,
    try: (w) => attemptsAfter(w, () => w.people.cordelia.says('psst', { people: [w.people.hamlet] })),
    outcomes: [[1], []],
  },
  enable_online_push_notifications: {
    value: false,
    try: async (w) => {
      await w.people.hamlet.api.post('/users/me/presence', { status: 'active' })
      return attemptsAfter(w, () => w.people.cordelia.says('psst', { people: [w.people.hamlet] }))
    },
    outcomes: [[1], [0]],
  },
  enable_stream_push_notifications: {
    value: true,
    try: (w) => attemptsAfter(w, () => w.people.cordelia.says('word')),
    outcomes: [[], [1]],
  },
  enable_followed_topic_push_notifications: {
    value: false,
    try: async (w) => {
      const stream_id = await w.streamId('general')
      await w.people.hamlet.api.post('/user_topics', { stream_id, topic: 'plot', visibility_policy: 3 })
      return attemptsAfter(w, () => w.people.cordelia.says('word', { topic: 'plot' }))
    },
    outcomes: [[1], []],
  },
  default_language: {
    mail: true,
    value: 'de',
    try: (w) => emailsAfter(w, psst),
    // cspell:disable-next-line
    outcomes: [['DMs with cordelia'], ['Direktnachrichten mit cordelia']],
  },
  enable_digest_emails: {
    mail: true,
    value: false,
    given: ({ people }) => people.iago.api.patch('/realm', { digest_emails_enabled: true }),
    try: emailsInTwoWeeks,
    outcomes: [['Your week in Elsinore'], []],
  },
  enable_login_emails: {
    mail: true,
    value: false,
    try: (w) =>
      emailsAfter(w, async ({ people: { hamlet } }) => {
        const params = { username: hamlet.email, password: hamlet.password }
        for (const client of ['first', 'second']) await apiOf(w.chat).post('/fetch_api_key', { ...params, client })
      }),
    outcomes: [['New sign-in to Elsinore'], []],
  },
  enable_offline_email_notifications: {
    mail: true,
    value: false,
    try: (w) => emailsAfter(w, psst),
    outcomes: [['DMs with cordelia'], []],
  },
  enable_followed_topic_email_notifications: {
    mail: true,
    value: false,
    try: (w) =>
      emailsAfter(w, async ({ people: { hamlet, cordelia } }) => {
        const stream_id = await w.streamId('general')
        await hamlet.api.post('/user_topics', { stream_id, topic: 'plot', visibility_policy: 3 })
        await cordelia.says('word', { topic: 'plot' })
      }),
    outcomes: [['#general > plot'], []],
  },
  enable_stream_email_notifications: {
    mail: true,
    value: true,
    try: (w) => emailsAfter(w, ({ people: { cordelia } }) => cordelia.says('word', { topic: 'plot' })),
    outcomes: [[], ['#general > plot']],
  },
  email_notifications_batching_period_seconds: {
    mail: true,
    value: 121,
    try: (w) => emailsAfter(w, psst),
    outcomes: [['DMs with cordelia'], []],
  },
  message_content_in_email_notifications: {
    mail: true,
    value: false,
    try: (w) => emailsAfter(w, psst),
    outcomes: [['DMs with cordelia'], ['New messages']],
  },
  realm_name_in_email_notifications_policy: {
    mail: true,
    value: 2,
    try: (w) => emailsAfter(w, psst),
    outcomes: [['DMs with cordelia'], ['DMs with cordelia [Elsinore]']],
  },
  receives_typing_notifications: {
    value: false,
    try: async (w) => {
      const { hamlet, cordelia } = w.people
      const received = await listen(hamlet, ['typing', 'typing_edit_message'])
      const stream_id = await w.streamId('general')
      const { id } = await cordelia.says('word')
      await cordelia.api.post('/typing', { op: 'start', to: [hamlet.id] })
      await cordelia.api.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 'x' })
      await cordelia.api.post(`/messages/${id}/typing`, { op: 'start' })
      return (await received()).length
    },
    outcomes: [3, 0],
  },
  email_address_visibility: {
    value: 3,
    try: async ({ people: { iago, hamlet, cordelia } }) => {
      const seen = await Promise.all([iago, cordelia].map((who) => who.api.get(`/users/${hamlet.id}`)))
      return seen.map(({ user }) => [user.email, user.delivery_email])
    },
    outcomes: [
      [
        ['hamlet@example.com', 'hamlet@example.com'],
        ['hamlet@example.com', 'hamlet@example.com'],
      ],
      [
        ['user5@localhost', 'hamlet@example.com'],
        ['user5@localhost', null],
      ],
    ],
  },
  allow_private_data_export: {
    value: true,
    try: async ({ people: { iago, hamlet } }) => {
      const { export_consents } = await iago.api.get('/export/realm/consents')
      return export_consents.find((one: { user_id: number }) => one.user_id === hamlet.id).consented
    },
    outcomes: [false, true],
  },
  translate_emoticons: {
    value: true,
    try: async ({ people }) => (await people.hamlet.api.post('/messages/render', { content: ':)' })).rendered,
    outcomes: [
      '<p>:)</p>',
      '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>',
    ],
  },
  presence_enabled: {
    value: false,
    try: async ({ people: { hamlet, cordelia } }) => {
      await hamlet.api.post('/users/me/presence', { status: 'active' })
      return outcome(await cordelia.api.get(`/users/${hamlet.id}/presence`))
    },
    outcomes: ['ok', 'No presence data for hamlet@example.com'],
  },
  send_private_typing_notifications: {
    value: false,
    try: async ({ people: { hamlet, cordelia } }) =>
      outcome(await hamlet.api.post('/typing', { op: 'start', to: [cordelia.id] })),
    outcomes: ['ok', 'User has disabled typing notifications for direct messages'],
  },
  send_stream_typing_notifications: {
    value: false,
    try: async (w) => {
      const stream_id = await w.streamId('general')
      return outcome(await w.people.hamlet.api.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 'x' }))
    },
    outcomes: ['ok', 'User has disabled typing notifications for channel messages'],
  },
  enable_drafts_synchronization: {
    value: false,
    try: async ({ people: { hamlet } }) => outcome(await hamlet.api.get('/drafts')),
    outcomes: ['ok', 'User has disabled synchronizing drafts.'],
  },
  send_read_receipts: {
    value: false,
    try: async ({ people: { hamlet, cordelia } }) => {
      const { id } = await cordelia.says('word')
      await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      const { user_ids } = await cordelia.api.get(`/messages/${id}/read_receipts`)
      return user_ids.includes(hamlet.id)
    },
    outcomes: [true, false],
  },
}

/** Each is a setting of the private stream tower, which iago made and hamlet is in. */
export const streamProofs: Record<StreamSettingName, Proof> = {
  can_add_subscribers_group: {
    given: (w) => set(w, 'can_add_subscribers_group', 'role:administrators'),
    value: 'role:members',
    try: async ({ people: { hamlet, cordelia } }) =>
      outcome(await create(hamlet, 'tower', { principals: [cordelia.id] })),
    outcomes: ['Unable to access stream (tower).', 'ok'],
  },
  can_administer_channel_group: {
    value: 'role:members',
    try: async (w) => outcome(await w.people.hamlet.api.patch(await tower(w), { description: 'high' })),
    outcomes: ['You do not have permission to administer this channel.', 'ok'],
  },
  can_create_topic_group: {
    given: async (w) => w.people.iago.api.patch(await tower(w), { history_public_to_subscribers: true }),
    value: 'role:administrators',
    try: async ({ people: { hamlet, iago } }) => {
      await iago.says('begun', { stream: 'tower', topic: 'known' })
      const send = async (topic: string) =>
        outcome(await hamlet.api.post('/messages', { type: 'stream', to: 'tower', topic, content: 'y' }))
      return [await send('known'), await send('new')]
    },
    outcomes: [
      ['ok', 'ok'],
      ['ok', 'You do not have permission to create new topics in this channel.'],
    ],
  },
  can_delete_any_message_group: {
    value: 'role:members',
    try: async ({ people: { hamlet, iago } }) => {
      const { id } = await iago.says('hers', { stream: 'tower', topic: 'x' })
      return outcome(await hamlet.api.delete(`/messages/${id}`))
    },
    outcomes: ["You don't have permission to delete this message", 'ok'],
  },
  can_delete_own_message_group: {
    value: 'role:members',
    try: async ({ people: { hamlet, iago } }) => {
      const { id: hers } = await iago.says('hers', { stream: 'tower', topic: 'x' })
      const { id: his } = await hamlet.says('his', { stream: 'tower', topic: 'x' })
      const remove = async (id: number) => outcome(await hamlet.api.delete(`/messages/${id}`))
      return [await remove(hers), await remove(his)]
    },
    outcomes: [
      ["You don't have permission to delete this message", "You don't have permission to delete this message"],
      ["You don't have permission to delete this message", 'ok'],
    ],
  },
  can_move_messages_out_of_channel_group: {
    given: (w) => set(w, 'can_move_messages_between_channels_group', 'role:nobody'),
    value: 'role:members',
    try: async (w) => {
      const { id } = await w.people.hamlet.says('his', { stream: 'tower', topic: 'x' })
      return outcome(await w.people.hamlet.api.patch(`/messages/${id}`, { stream_id: await w.streamId('hall') }))
    },
    outcomes: ["You don't have permission to move this message", 'ok'],
  },
  can_move_messages_within_channel_group: {
    given: (w) => set(w, 'can_move_messages_between_topics_group', 'role:nobody'),
    value: 'role:members',
    try: async ({ people: { hamlet } }) => {
      const { id } = await hamlet.says('his', { stream: 'tower', topic: 'x' })
      return outcome(await hamlet.api.patch(`/messages/${id}`, { topic: 'y' }))
    },
    outcomes: ["You don't have permission to edit this message", 'ok'],
  },
  can_resolve_topics_group: {
    given: (w) => set(w, 'can_resolve_topics_group', 'role:nobody'),
    value: 'role:members',
    try: async ({ people: { hamlet } }) => {
      const { id } = await hamlet.says('his', { stream: 'tower', topic: 'x' })
      return outcome(await hamlet.api.patch(`/messages/${id}`, { topic: '✔ x' }))
    },
    outcomes: ["You don't have permission to resolve topics.", 'ok'],
  },
  can_remove_subscribers_group: {
    value: 'role:members',
    try: async ({ people: { hamlet, iago } }) =>
      outcome(await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['tower'], principals: [iago.id] })),
    outcomes: ['Insufficient permission', 'ok'],
  },
  can_send_message_group: {
    value: 'role:administrators',
    try: async ({ people: { hamlet } }) =>
      outcome(await hamlet.api.post('/messages', { type: 'stream', to: 'tower', topic: 'x', content: 'y' })),
    outcomes: ['ok', 'You do not have permission to post in this stream.'],
  },
  can_subscribe_group: {
    value: 'role:members',
    try: async ({ people: { cordelia, polonius } }) => [
      outcome(await create(cordelia, 'tower')),
      outcome(await create(polonius, 'tower')),
    ],
    outcomes: [
      ['Unable to access stream (tower).', 'Insufficient permission'],
      ['ok', 'Insufficient permission'],
    ],
  },
}

export const tower = async (w: World): Promise<string> => `/streams/${await w.streamId('tower')}`

/** Each is a setting of the group royals, which iago made and hamlet is in; its id comes with the world. */
export const groupProofs: Record<
  GroupSettingName,
  Omit<Proof, 'try'> & { try(w: World, id: number): Promise<unknown> }
> = {
  can_add_members_group: {
    value: 'role:members',
    try: async ({ people: { hamlet, cordelia } }, id) =>
      outcome(await hamlet.api.post(`/user_groups/${id}/members`, { add: [cordelia.id] })),
    outcomes: ['Insufficient permission', 'ok'],
  },
  can_join_group: {
    value: 'role:members',
    try: async ({ people: { cordelia } }, id) =>
      outcome(await cordelia.api.post(`/user_groups/${id}/members`, { add: [cordelia.id] })),
    outcomes: ['Insufficient permission', 'ok'],
  },
  can_leave_group: {
    value: 'role:nobody',
    try: async ({ people: { hamlet } }, id) =>
      outcome(await hamlet.api.post(`/user_groups/${id}/members`, { delete: [hamlet.id] })),
    outcomes: ['ok', 'Insufficient permission'],
  },
  can_manage_group: {
    value: 'role:members',
    try: async ({ people: { hamlet } }, id) =>
      outcome(await hamlet.api.patch(`/user_groups/${id}`, { name: 'ghosts' })),
    outcomes: ['Insufficient permission', 'ok'],
  },
  can_mention_group: {
    value: 'role:nobody',
    try: async ({ people: { hamlet } }) => {
      const say = async (content: string) =>
        outcome(await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content }))
      return [await say('@*royals* rise'), await say('@_*royals* sit')]
    },
    outcomes: [
      ['ok', 'ok'],
      ["You are not allowed to mention user group 'royals'.", 'ok'],
    ],
  },
  can_remove_members_group: {
    value: 'role:members',
    try: async ({ people: { cordelia, hamlet } }, id) =>
      outcome(await cordelia.api.post(`/user_groups/${id}/members`, { delete: [hamlet.id] })),
    outcomes: ['Insufficient permission', 'ok'],
  },
}
