interface NewOwner {
  org: string
  email: string
  password: string
  api_key: string
}

/**
 * Returns what the owner of a new organization must save now, and a first example.
 *
 * @param setUpLink - the page that names the organization and its owner; absent if they have names
 */
export function welcomeText({ org, email, password, api_key }: NewOwner, url: string, setUpLink?: string): string {
  const created = `Created the organization "${org}" and its owner.`
  const choice = setUpLink
    ? `${created} Set it up in a browser:

  ${setUpLink}

The link works once. You can also sign in with this account, which disables the link. Save these now:`
    : `${created} Save these now:`
  return `${choice}

  Email     ${email}
  Password  ${password}
  API key   ${api_key}

Open ${url} in a browser and sign in. Or try the API:

  curl -u ${quoted(`${email}:${api_key}`)} ${url}/api/v1/messages -d type=stream -d to=general -d topic=hello -d content=Hello

`
}

/** Returns what later starts print until the organization is set up. */
export const setUpText = (setUpLink: string): string =>
  `This organization is not set up yet. Its owner can set it up in a browser with this link, which works once:

  ${setUpLink}

`

/** Quotes a word for a POSIX shell. */
const quoted = (text: string): string => (/^[\w@:.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
