import assert from 'node:assert/strict'
import test from 'node:test'
import { organizationSettings } from '../../../src/core/settings/organization-table.ts'
import type { SettingsTable } from '../../../src/core/settings/setting.ts'
import { organizationPages } from '../../../web/view/settings/organization-table.ts'

test('every changeable organization setting is on exactly one page, for permitted users', () => {
  const shown = Object.values(organizationPages)
    .flat()
    .map(({ name, who }) => ({ name, who }))
  const changeable = Object.entries(organizationSettings as SettingsTable)
    // Those that are only kept do nothing, so no page offers them.
    .filter(([, { effect }]) => effect !== 'none' && effect !== 'kept')
    .map(([name, { who }]) => ({ name, who }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  assert.deepEqual(shown.sort(byName), changeable.sort(byName))
})

test('the pages show every permission as a permission and nothing else', () => {
  for (const { name, kind } of Object.values(organizationPages).flat()) {
    const setting = (organizationSettings as SettingsTable)[name]!
    assert.equal(kind === 'permission', setting.kind === 'permission', name)
    assert.equal(kind === 'stream', setting.kind === 'stream', name)
  }
})
