interface NewOwner {
  org: string
  email: string
  password: string
  api_key: string
}

/**
 * What the owner of a new organization must write down now, and a first example.
 *
 * @param setUpLink where they can give it and themselves names instead; absent where they were given
 */
export function welcomeText({ org, email, password, api_key }: NewOwner, url: string, setUpLink?: string): string {
  const created = `Created the organization "${org}" and its owner.`
  const choice = setUpLink
    ? `${created} Set it up in a browser:

  ${setUpLink}

The link works once. Or use the account as it is, and the link ends when you sign in. This is shown once:`
    : `${created} This is shown once:`
  return `${choice}

  E-mail    ${email}
  Password  ${password}
  API key   ${api_key}

Open ${url} in a browser and sign in. Or try the API:

  curl -u ${quoted(`${email}:${api_key}`)} ${url}/api/v1/messages -d type=stream -d to=general -d topic=hello -d content=Hello

`
}

/** What later starts say while nobody has set the organization up. */
export const setUpText = (setUpLink: string): string =>
  `This organization is not set up yet. Its owner does it in a browser, by this link, which works once:

  ${setUpLink}

`

/** Quotes a word for a POSIX shell. */
const quoted = (text: string): string => (/^[\w@:.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
