/** The URL that another service posts to, without empty parameters. The reader fills in the key, which is shown only once. */
export function webhookAddress(
  realm_url: string,
  integration: string,
  params: Readonly<Record<string, string>> = {},
): string {
  const address = new URL(`${realm_url}/api/v1/external/${integration}`)
  for (const [name, value] of Object.entries({ api_key: 'KEY', ...params })) {
    if (value !== '') address.searchParams.set(name, value)
  }
  return address.href
}
