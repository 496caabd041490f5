import { runOn } from '../../src/admin/run-on.ts'

interface Common {
  db: string
  json?: boolean
}

const print = (json: boolean | undefined, value: object, lines: readonly string[]) =>
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)

export async function addUser(options: Common & { email: string; name: string; password?: string; role: string }) {
  const { db, json, email, name, password, role } = options
  const added = await runOn(db, 'addUser', { email, name, role, ...(password !== undefined && { password }) })
  print(json, added, [
    `Created ${added.email} (user ${added.user_id}, ${added.role}). This is shown once:`,
    `  Password  ${added.password}`,
    `  API key   ${added.api_key}`,
  ])
}

export async function listUsers({ db, json }: Common) {
  const result = await runOn(db, 'listUsers', {})
  const rows = result.members.map((user) => [
    String(user.user_id),
    user.email,
    user.full_name,
    user.is_bot ? 'bot' : user.role,
    user.is_active ? '' : 'deactivated',
  ])
  print(json, result, columns([['id', 'e-mail', 'name', 'role', ''], ...rows]))
}

export async function changeRole({ db, json, email, role }: Common & { email: string; role: string }) {
  const changed = await runOn(db, 'changeRole', { email, role })
  print(json, changed, [`${changed.email} is now ${changed.role}`])
}

export async function newKey({ db, json, email }: Common & { email: string }) {
  const issued = await runOn(db, 'newKey', { email })
  print(json, issued, [`New API key of ${issued.email}, shown once: ${issued.api_key}`])
}

function columns(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}
