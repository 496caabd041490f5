import assert from 'node:assert/strict'
import test from 'node:test'
import * as v from 'valibot'
import { groupSettings } from '../../../src/core/groups/settings.ts'
import { updateGroup } from '../../../src/core/groups/update.ts'
import { updateSettingsDefaults } from '../../../src/core/organization/user-settings-defaults.ts'
import { organizationSettings } from '../../../src/core/settings/organization-table.ts'
import type { SettingsTable } from '../../../src/core/settings/setting.ts'
import { userSettings } from '../../../src/core/settings/user.ts'
import { subscriptionSettingsShape } from '../../../src/core/shapes/stream.ts'
import { updateStream } from '../../../src/core/streams/management/update-stream.ts'
import { streamSettings } from '../../../src/core/streams/settings.ts'
import { groupTable } from '../../../web/view/settings/groups/group-table.ts'
import { defaultRows } from '../../../web/view/settings/organization/default-rows.ts'
import { organizationPages } from '../../../web/view/settings/organization-table.ts'
import type { Setting } from '../../../web/view/settings/setting.ts'
import { userPages } from '../../../web/view/settings/user-table.ts'
import { streamTable, subscriptionTable } from '../../../web/view/streams/stream-table.ts'

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort()
const without = (all: readonly string[], ...left: string[]) => all.filter((name) => !left.includes(name)).sort()
const changeable = (table: SettingsTable) =>
  Object.entries(table).flatMap(([name, { effect }]) => (effect === 'none' || effect === 'kept' ? [] : [name]))

const userRows = Object.values(userPages).flat()
const organizationRows = Object.values(organizationPages).flat()

test('every changeable account setting is on exactly one page', () => {
  assert.deepEqual(names(userRows), changeable(userSettings).sort())
})

test('the defaults for new members are those administrators may set', () => {
  const settable = changeable(userSettings).filter((name) => name in updateSettingsDefaults.params.entries)
  assert.deepEqual(names(defaultRows), settable.sort())
})

test('every stream setting is on its page', () => {
  const params = Object.keys(updateStream.params.entries)
  // Its id; what brings it back has a button; the older forms of a permission.
  const elsewhere = ['stream_id', 'is_archived', 'is_announcement_only', 'stream_post_policy']
  assert.deepEqual(names(streamTable), without(params, ...elsewhere))
})

test("every subscription setting is on its stream's page", () => {
  // The opposite of `is_muted`; and this server sends neither mail nor notifications to phones.
  const elsewhere = ['in_home_view', 'push_notifications', 'email_notifications']
  assert.deepEqual(names(subscriptionTable), without(Object.keys(subscriptionSettingsShape.entries), ...elsewhere))
})

test('every group setting is on its page', () => {
  assert.deepEqual(names(groupTable), without(Object.keys(updateGroup.params.entries), 'user_group_id', 'deactivated'))
})

test('every setting has its own name and description', () => {
  for (const rows of [userRows, organizationRows, streamTable, subscriptionTable, groupTable]) {
    for (const { name, label, about } of rows as readonly Setting[]) {
      assert.ok(label.length > 1, name)
      assert.match(about, /^\S.{10,}\.$/, name)
    }
    assert.equal(new Set((rows as readonly Setting[]).map(({ label }) => label)).size, rows.length)
  }
})

test('shows permissions as such and offers every value of enumerated settings', () => {
  const pages: [readonly Setting[], SettingsTable][] = [
    [userRows, userSettings],
    [organizationRows, organizationSettings],
    [streamTable.filter(({ name }) => name in streamSettings), streamSettings],
    [groupTable.filter(({ name }) => name in groupSettings), groupSettings],
  ]
  for (const [rows, table] of pages) {
    for (const { name, kind } of rows) {
      const setting = table[name]!
      assert.equal(kind === 'permission', setting.kind === 'permission', name)
      assert.equal(kind === 'stream', setting.kind === 'stream', name)
      const { schema, shown } = setting as unknown as Record<string, v.GenericSchema & { options?: readonly unknown[] }>
      assert.equal(kind === 'check', v.is(schema!, true), name)
      // Only the providers that the server is configured for are offered; test/web/fields.test.ts shows it.
      // Languages have a test of their own.
      if (schema!.type !== 'picklist' || kind === 'calls' || kind === 'language') continue
      assert.ok(typeof kind === 'object', name)
      assert.deepEqual(kind.map(([value]) => value).sort(), [...(shown!.options ?? schema!.options!)].sort(), name)
    }
  }
})
