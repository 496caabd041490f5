import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import { createChatServer } from '../../src/http/server.ts'

/** What a server in a process of its own tells the test that started it. */
export interface Ready {
  url: string
  email: string
  key: string
}

const server = await createChatServer({ db: process.argv[2]!, passwordCost: 4, rateLimit: false })
const owner = { org: 'O', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }
const { email, api_key: key } = (await hasOrganization(server.chat))
  ? { email: '', api_key: '' }
  : await createOrganization(server.chat, owner)

process.on('disconnect', () => process.exit(0))
process.send!({ url: server.url, email, key } satisfies Ready)
