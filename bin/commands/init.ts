import { runOn } from '../../src/admin/run-on.ts'
import { DEFAULT_BASE } from '../addresses.ts'
import { spaceFor } from '../checks.ts'
import type { Io } from '../io.ts'
import { welcomeText } from '../welcome-text.ts'

export interface InitOptions {
  db: string
  org: string
  ownerEmail: string
  ownerName: string
  ownerPassword?: string
  json?: boolean
}

/** Creates the organization of a new database, and its owner. */
export async function init(
  { db, org, ownerEmail, ownerName, ownerPassword, json }: InitOptions,
  io: Io,
): Promise<void> {
  const { problem } = spaceFor(db)
  if (problem) throw new Error(problem)
  const organization = {
    org,
    owner_email: ownerEmail,
    owner_name: ownerName,
    ...(ownerPassword !== undefined && { owner_password: ownerPassword }),
  }
  const { email, user_id, api_key, password } = await runOn(db, 'init', organization, { create: true })
  io.stdout.write(
    json
      ? `${JSON.stringify({ email, user_id, api_key, password, org })}\n`
      : welcomeText({ org, email, password, api_key }, DEFAULT_BASE),
  )
}
