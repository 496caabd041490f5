import type { Chat } from '../src/core/kernel/chat.ts'

interface Owner {
  user_id: number
  email: string
  password: string
  api_key: string
}

/**
 * Returns the object that `serve --json` prints when the server listens. `accounts` are the ones with known secrets:
 * all users with `--dev`, otherwise the owner that this start created.
 */
export async function readyObject(
  chat: Chat,
  { url, owner, ...others }: { url: string; owner: Owner | undefined; set_up_url?: string; metrics_url?: string },
): Promise<object> {
  const accounts = chat.options.dev
    ? await (await import('../src/core/accounts/dev/dev-people.ts')).devAccounts(chat)
    : owner
      ? [{ ...owner, full_name: 'Owner', role: 'owner' }]
      : []
  const withPassword = accounts.map(({ user_id, email, full_name, role, api_key }) => ({
    ...{ user_id, email, full_name, role, api_key },
    ...(user_id === owner?.user_id && { password: owner.password }),
  }))
  return { url, ...others, accounts: withPassword }
}
