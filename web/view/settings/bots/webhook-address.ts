/** Stands for a webhook as Discord has them, which has its bot and key in the path. No integration has this name. */
export const DISCORD = 'api/webhooks'

/** The URL of a bot's Discord-compatible webhook. */
export const discordAddress = (realm_url: string, bot_id: number, params: Readonly<Record<string, string>>): string =>
  withParams(`${realm_url}/api/webhooks/${bot_id}/KEY`, params)

/** The URL that another service posts to, without empty parameters. The reader fills in the key, which is shown only once. */
export function webhookAddress(
  realm_url: string,
  integration: string,
  params: Readonly<Record<string, string>> = {},
): string {
  return withParams(`${realm_url}/api/v1/external/${integration}`, { api_key: 'KEY', ...params })
}

function withParams(url: string, params: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(params)) {
    if (value !== '') address.searchParams.set(name, value)
  }
  return address.href
}
