import { actAs, type Caller, type Chat, createOrganization, hasOrganization, openChat } from 'chat-server'

/** A chat to try things with: in memory, or in the file that CHAT_DB names. */
export async function openDemo(): Promise<{ chat: Chat; owner: Caller }> {
  const chat = await openChat({ db: process.env.CHAT_DB ?? ':memory:' })
  const email = 'owner@example.com'
  if (!(await hasOrganization(chat))) {
    const { api_key } = await createOrganization(chat, { org: 'Example', owner_email: email, owner_name: 'Olga' })
    console.log(`owner ${email} ${api_key}`)
  }
  return { chat, owner: await actAs(chat, { email }) }
}

export const port = Number(process.env.PORT ?? 3000)
