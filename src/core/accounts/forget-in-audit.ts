import type { Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'

const PERSONAL = /^(full_name|delivery_email|profile_field_\d+)$/
const FORGOTTEN = 'Deleted user'

/**
 * Takes a person's names and addresses out of the audit log. That somebody with this id did something, or that something
 * was done to them, stays.
 */
export async function forgetInAudit(tx: Tx, { id, full_name, delivery_email }: User): Promise<void> {
  await tx.db.updateTable('audit').set({ address: null }).where('actor_id', '=', id).execute()
  const names = [full_name, delivery_email]
  const rows = await tx.db
    .selectFrom('audit')
    .select(['id', 'subject_kind', 'subject_id', 'before', 'after'])
    .where((eb) =>
      eb.or([
        eb.and([eb('subject_kind', '=', 'user'), eb('subject_id', '=', id)]),
        ...names.flatMap((name) => [eb('before', 'like', within(name)), eb('after', 'like', within(name))]),
      ]),
    )
    .execute()
  for (const row of rows) {
    const isTheirs = row.subject_kind === 'user' && row.subject_id === id
    const without = (json: string | null) => json && JSON.stringify(forgotten(JSON.parse(json), isTheirs, names))
    await tx.db
      .updateTable('audit')
      .set({ before: without(row.before), after: without(row.after) })
      .where('id', '=', row.id)
      .execute()
  }
}

/** A pattern that finds a text in JSON, and may find more. */
const within = (text: string): string =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, '_')}%`

function forgotten(facts: object, isTheirs: boolean, names: readonly string[]): object {
  const value = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(value)
    if (names.includes(String(given))) return FORGOTTEN
    // Descriptions of channels and the like may mention them.
    return typeof given === 'string'
      ? names.reduce((all, name) => all.replaceAll(`**${name}`, `**${FORGOTTEN}`), given)
      : given
  }
  return Object.fromEntries(
    Object.entries(facts).map(([name, given]) => [
      name,
      isTheirs && PERSONAL.test(name) && given !== null ? FORGOTTEN : value(given),
    ]),
  )
}
