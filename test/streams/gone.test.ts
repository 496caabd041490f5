import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

test('tells users who lose sight of a stream nothing of it but its id', async () => {
  await using w = await world({
    streams: {
      open: { members: ['hamlet', 'polonius'] },
      attic: { private: true, members: ['iago', 'hamlet'] },
    },
  })
  const { iago, hamlet, cordelia, polonius } = w.people
  const gone = (stream_id: number) => ({
    type: 'stream',
    op: 'delete',
    stream_ids: [stream_id],
    streams: [{ stream_id }],
  })
  const open = await w.streamId('open')
  const attic = await w.streamId('attic')

  const outsider = await listen(cordelia, ['stream'])
  await iago.api.patch(`/streams/${open}`, { is_private: true, new_name: 'merger', description: 'Secret terms' })
  assert.deepEqual(await outsider(), [gone(open)])

  const guest = await listen(polonius, ['stream'])
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['merger'], principals: [polonius.id] })
  assert.deepEqual(await guest(), [gone(open)])

  const unaware = await listen(hamlet, ['stream'])
  await iago.api.delete(`/streams/${attic}`)
  assert.deepEqual((await unaware()).at(-1), gone(attic))
})
