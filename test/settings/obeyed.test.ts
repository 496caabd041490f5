import assert from 'node:assert/strict'
import test from 'node:test'
import { groupSettings } from '../../src/core/groups/settings.ts'
import { organizationSettings } from '../../src/core/settings/organization-table.ts'
import type { SettingsTable } from '../../src/core/settings/setting.ts'
import { userSettings } from '../../src/core/settings/user.ts'
import { streamSettings } from '../../src/core/streams/settings.ts'
import type { Answer, World } from '../../src/testing/index.ts'
import { organizationProofs } from './organization-proofs.ts'
import { groupProofs, streamProofs, tower, userProofs } from './other-proofs.ts'
import { outcome, type Proof, roleId, stage } from './proofs.ts'

interface Kind {
  table: SettingsTable
  proofs: Readonly<Record<string, Proof | (typeof groupProofs)[keyof typeof groupProofs]>>
  /** The object these settings belong to, if there may be several. */
  target?(w: World): Promise<number>
  change(w: World, params: Readonly<Record<string, unknown>>, target: number): Promise<Answer>
}

const kinds: Readonly<Record<string, Kind>> = {
  organization: {
    table: organizationSettings,
    proofs: organizationProofs,
    change: ({ people }, params) => people.iago.api.patch('/realm', params),
  },
  user: {
    table: userSettings,
    proofs: userProofs,
    change: ({ people }, params) => people.hamlet.api.patch('/settings', params),
  },
  stream: {
    table: streamSettings,
    proofs: streamProofs,
    change: async (w, params) => w.people.iago.api.patch(await tower(w), params),
  },
  group: {
    table: groupSettings,
    proofs: groupProofs,
    async target({ people: { iago, hamlet } }) {
      const members = [hamlet.id]
      return (await iago.api.post('/user_groups/create', { name: 'royals', description: '', members })).group_id
    },
    change: ({ people }, params, id) => people.iago.api.patch(`/user_groups/${id}`, params),
  },
}

for (const [kind, { table, proofs, target, change }] of Object.entries(kinds)) {
  test(`exactly the ${kind} settings the server enforces have a test`, () => {
    const obeyed = Object.keys(table).filter((name) => table[name]!.effect === 'server')
    assert.deepEqual(Object.keys(proofs).sort(), obeyed.sort())
  })

  for (const [name, proof] of Object.entries(proofs)) {
    test(`enforces the ${kind} setting ${name}`, async () => {
      const tried = async (changed: boolean) => {
        await using w = await stage(proof)
        const id = (await target?.(w)) ?? 0
        await proof.given?.(w)
        if (changed) {
          const value = await valueFor(w, table, name, proof.value)
          assert.equal(outcome(await change(w, { [name]: value }, id)), 'ok')
        }
        return await proof.try(w, id)
      }
      assert.notDeepEqual(...proof.outcomes)
      assert.deepEqual([await tried(false), await tried(true)], proof.outcomes)
    })
  }
}

async function valueFor(w: World, table: SettingsTable, name: string, value: unknown) {
  if (table[name]!.kind === 'permission') return { new: await roleId(w, String(value)) }
  return table[name]!.kind === 'stream' ? w.streamId(String(value)) : value
}
