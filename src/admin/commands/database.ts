import { copyFileSync, existsSync } from 'node:fs'
import * as v from 'valibot'
import { deactivatedSince } from '../../core/context.ts'
import { fingerprintIn } from '../../core/secrets.ts'
import { storeOf } from '../../core/store.ts'
import { limitsInForce } from '../../http/guards/limits-in-force.ts'
import { secretFile } from '../../storage/index.ts'
import { command } from './command.ts'

/** A consistent copy of the database into a new file, and, if `secret` is set, of its secret beside it. */
export const backup = command(v.object({ file: v.string(), secret: v.boolean() }), async (chat, { file, secret }) => {
  const store = storeOf(chat)
  await store.backup(file)
  const source = secretFile(store.file)
  const copied = secret && existsSync(source)
  if (copied) copyFileSync(source, secretFile(file))
  return { file, secret: copied ? secretFile(file) : null }
})

export const inspect = command(v.object({}), async (chat) => ({
  ...(await storeOf(chat).inspect()),
  limits: limitsInForce(chat) ?? null,
  secret_fingerprint: (await fingerprintIn(storeOf(chat))) ?? null,
  deactivated_at: (await deactivatedSince(storeOf(chat).db)) ?? null,
  opened_at: chat.openedAt,
}))
