interface NewOwner {
  org: string
  email: string
  password: string
  api_key: string
}

/** What the owner of a new organization must write down now, and a first example. */
export function welcomeText({ org, email, password, api_key }: NewOwner, url: string): string {
  return `Created the organization "${org}" and its owner. This is shown once:

  E-mail    ${email}
  Password  ${password}
  API key   ${api_key}

Open ${url} in a browser and sign in. Or try the API:

  curl -u ${quoted(`${email}:${api_key}`)} ${url}/api/v1/messages -d type=stream -d to=general -d topic=hello -d content=Hello

`
}

/** Quotes a word for a POSIX shell. */
const quoted = (text: string): string => (/^[\w@:.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
