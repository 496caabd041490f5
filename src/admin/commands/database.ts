import { copyFileSync, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { hasOrganization } from '../../core/accounts/create-organization.ts'
import { lostPasskeys } from '../../core/accounts/passkeys/stored.ts'
import { signOnProblems } from '../../core/accounts/providers/problems.ts'
import { contextOf, deactivatedSince } from '../../core/kernel/context.ts'
import { diskSpaceOf } from '../../core/kernel/disk-space.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { fingerprintIn } from '../../core/kernel/secrets.ts'
import { storeOf } from '../../core/kernel/store.ts'
import { mailboxHealth, mailHealth } from '../../core/mail/health.ts'
import { sendsMail } from '../../core/mail/mail-service.ts'
import { archiveName, exporterOf } from '../../core/organization/exports/exporter.ts'
import { writeNeutral } from '../../core/organization/exports/neutral.ts'
import { exportKinds } from '../../core/organization/exports/tables/scope.ts'
import { writeArchive } from '../../core/organization/exports/write-archive.ts'
import { writePerson } from '../../core/organization/exports/write-person.ts'
import { limitsInForce } from '../../http/guards/limits-in-force.ts'
import { StorageError, secretFile } from '../../storage/index.ts'
import { accountOf, command, email, recordCommand } from './command.ts'

/** A consistent copy of the database into a new file, and, if `secret` is set, of its secret beside it. */
export const backup = command(v.object({ file: v.string(), secret: v.boolean() }), async (chat, { file, secret }) => {
  const store = storeOf(chat)
  const { database_bytes } = await store.sizes()
  if (!diskSpaceOf(chat).hasRoomIn(dirname(file), database_bytes)) {
    const reserve = `${chat.options.reserveMib} MiB must stay free`
    throw new StorageError(
      'full',
      `Not enough disk space for ${file}. It needs ${Math.ceil(database_bytes / 1024 / 1024)} MiB, and ${reserve}.`,
    )
  }
  await store.backup(file)
  const source = secretFile(store.file)
  const copied = secret && existsSync(source)
  if (copied) copyFileSync(source, secretFile(file))
  if (await hasOrganization(chat)) await recordCommand(chat, 'backup', 'organization', { file, secret: copied })
  return { file, secret: copied ? secretFile(file) : null }
})

/** An archive of the organization's data, in a new file: without the limits that administrators have. */
export const exportData = command(
  v.object({
    file: v.string(),
    kind: v.picklist(exportKinds),
    format: v.optional(v.picklist(['zulip', 'jsonl'])),
    /** The address of the person whose data alone is exported. */
    user: v.optional(email),
  }),
  async (chat, { file, kind, format = 'zulip', user }, report, ended) => {
    if (kind !== 'full' && (format === 'jsonl' || user !== undefined))
      throw badRequest('Only the Zulip format can leave out private data')
    const person = user === undefined ? undefined : await accountOf(contextOf(chat), user)
    const work = `${file}.work`
    const write = async (signal: AbortSignal) => {
      // A command that was killed may have left it.
      await rm(work, { recursive: true, force: true })
      await mkdir(work, { mode: 0o700 })
      try {
        const context = contextOf(chat, { signal })
        const files = { path: file, work, folder: archiveName(chat) }
        const stats = person
          ? await writePerson(context, person.id, files)
          : format === 'jsonl'
            ? await writeNeutral(context, files)
            : await writeArchive(context, { kind, ...files })
        const after = { kind, format, file, ...(person && { user_id: person.id }) }
        await recordCommand(chat, 'exportData', 'organization', after)
        return { file, stats }
      } finally {
        await rm(work, { recursive: true, force: true })
      }
    }
    const onWait = () => report('Waiting for another export to finish.')
    return exporterOf(chat).alone(write, { signal: ended, leaves: [`${file}.partial`, work], onWait })
  },
)

export const inspect = command(v.object({}), async (chat) => ({
  ...(await storeOf(chat).inspect()),
  limits: limitsInForce(chat) ?? null,
  secret_fingerprint: (await fingerprintIn(storeOf(chat))) ?? null,
  deactivated_at: (await deactivatedSince(storeOf(chat).db)) ?? null,
  sign_on_problems: await signOnProblems(storeOf(chat).db),
  opened_at: chat.openedAt,
  lost_passkeys: await lostPasskeys(contextOf(chat)),
  mail: { configured: await sendsMail(contextOf(chat)), ...(await mailHealth(storeOf(chat).db)) },
  mailbox: await mailboxHealth(storeOf(chat).db),
}))
