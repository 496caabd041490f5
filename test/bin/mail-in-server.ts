const OWNER = 'olga@example.com'
const PASSWORD = 'correct horse'

/** Creates the organization of tests about email that comes in. */
export const init = [
  ...['init', '--org', 'o', '--owner-email', OWNER, '--owner-name', 'Olga', '--owner-password', PASSWORD],
]

async function caller(url: string) {
  const body = new URLSearchParams({ username: OWNER, password: PASSWORD })
  const response = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  const { api_key } = (await response.json()) as { api_key: string }
  const authorization = `Basic ${Buffer.from(`${OWNER}:${api_key}`).toString('base64')}`
  return async (path: string) => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization } })
    return (await answer.json()) as { stream_id: number; email: string; messages: { subject: string }[] }
  }
}

/** Returns the owner's address of a channel. */
export async function addressIn(url: string): Promise<string> {
  const get = await caller(url)
  const { stream_id } = await get('/get_stream_id?stream=general')
  return (await get(`/streams/${stream_id}/email_address`)).email
}

/** Returns the topics of the messages in the channel. */
export async function topicsIn(url: string): Promise<string[]> {
  const get = await caller(url)
  const narrow = encodeURIComponent(JSON.stringify([{ operator: 'channel', operand: 'general' }]))
  const { messages } = await get(`/messages?anchor=newest&num_before=500&num_after=0&narrow=${narrow}`)
  return messages.map(({ subject }) => subject)
}
