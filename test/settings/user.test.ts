import assert from 'node:assert/strict'
import test from 'node:test'
import { updateSettings } from '../../src/core/accounts/update-settings.ts'
import { world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'
import { outcome } from './proofs.ts'

const nonsense: readonly [params: Record<string, unknown>, msg: string][] = [
  [{ default_language: 'zz' }, 'Invalid default_language'],
  [{ notification_sound: 'x' }, "Invalid notification sound 'x'"],
  [{ web_channel_default_view: 5 }, 'Invalid web_channel_default_view'],
  [{ web_home_view: 'feed' }, 'Invalid web_home_view'],
  [{ emojiset: 'apple' }, 'Invalid emojiset'],
  [{ color_scheme: 0 }, 'Invalid color_scheme'],
  [{ web_font_size_px: 11 }, "Bad value for 'web_font_size_px': 11"],
  [{ web_line_height_percent: 201 }, "Bad value for 'web_line_height_percent': 201"],
  [
    { email_notifications_batching_period_seconds: 0 },
    "Bad value for 'email_notifications_batching_period_seconds': 0",
  ],
  [{ enter_sends: 'yes' }, 'enter_sends is not a boolean'],
]

test('rejects invalid values and changes nothing', async () => {
  await using w = await world()
  await w.events()
  for (const [params, msg] of nonsense) {
    const answer = await w.people.hamlet.api.patch('/settings', { high_contrast_mode: true, ...params })
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.deepEqual(await w.events(), [])
})

test('the lists offered to clients match the accepted values', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const { user_settings } = await api.post('/register', { fetch_event_types: ['user_settings'] })
  assert.equal(user_settings.available_notification_sounds.length, 31)
  for (const notification_sound of [...user_settings.available_notification_sounds, 'none']) {
    assert.equal(outcome(await api.patch('/settings', { notification_sound })), 'ok')
  }
  for (const { key } of user_settings.emojiset_choices) {
    assert.equal(outcome(await api.patch('/settings', { emojiset: key })), 'ok')
  }
})

test('a changed language arrives with its name', async () => {
  await using w = await world()
  const received = await listen(w.people.hamlet, ['user_settings'])
  await w.people.hamlet.api.patch('/settings', { default_language: 'de' })
  assert.deepEqual(await received(), [
    { type: 'user_settings', op: 'update', property: 'default_language', value: 'de', language_name: 'Deutsch' },
    // Nobody has chosen how to write times, so they follow the language.
    { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
  ])
})

test('lists user settings and their types in the library', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await updateSettings(hamlet, { emojiset: 'google-blob', color_scheme: 2 })
  // @ts-expect-error: one of a list.
  await assert.rejects(updateSettings(hamlet, { emojiset: 'apple' }), /Invalid emojiset/)
  // @ts-expect-error: one of a list.
  await assert.rejects(updateSettings(hamlet, { color_scheme: 9 }), /Invalid color_scheme/)
})

test('takes the older name of the home view', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  for (const web_home_view of ['recent', 'recent_topics']) {
    assert.equal(outcome(await api.patch('/settings', { web_home_view })), 'ok')
    const { user_settings } = await api.post('/register', { fetch_event_types: ['user_settings'] })
    assert.equal(user_settings.web_home_view, 'recent')
  }
})
