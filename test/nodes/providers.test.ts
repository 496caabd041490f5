import assert from 'node:assert/strict'
import test from 'node:test'
import { providersOf } from '../../src/core/accounts/providers/all-providers.ts'
import {
  createSignOnProvider,
  removeSignOnProvider,
  updateSignOnProvider,
} from '../../src/core/accounts/sign-on/page-providers.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import { eventually } from '../eventually.ts'
import { cluster, needsServer } from './nodes.ts'

test('another node offers, changes and removes a provider of the page without a restart', needsServer, async () => {
  await using c = await cluster(2, { chat: { publicUrl: 'https://chat.example.com' } })
  const iago = await c.at(0, 'iago')
  const there = async () => (await providersOf(contextOf(c.nodes[1]!))).get('company')?.config
  assert.equal(await there(), undefined)
  const provider = { issuer: 'https://id.example.com', client_id: 'chat' }
  const { id } = await createSignOnProvider(iago, {
    name: 'company',
    provider,
    client_secret: 'a secret',
    password: PASSWORD,
  })
  await eventually('the other node has it', async () => (await there()) !== undefined)
  assert.equal((await there())!.client_secret, 'a secret')
  await updateSignOnProvider(iago, {
    provider_id: id,
    provider: { ...provider, display_name: 'Us' },
    password: PASSWORD,
  })
  await eventually('the other node has its new name', async () => (await there())?.display_name === 'Us')
  await removeSignOnProvider(iago, { provider_id: id, password: PASSWORD })
  await eventually('the other node has it no more', async () => (await there()) === undefined)
})
