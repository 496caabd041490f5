import * as v from 'valibot'
import { storeOf } from '../../core/store.ts'
import { command } from './command.ts'

export const backup = command(v.object({ file: v.string() }), async (chat, { file }) => {
  await storeOf(chat).backup(file)
  return { file }
})

export const inspect = command(v.object({}), async (chat) => ({
  ...storeOf(chat).inspect(),
  opened_at: chat.openedAt,
}))
