import { publicAction } from '../../core/kernel/action.ts'
import { FEATURE_LEVEL } from '../../core/kernel/base/limits.ts'
import { none } from '../../core/kernel/fields.ts'
import { basePath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { settingsOf } from '../../core/settings/organization.ts'
import { page } from '../serve/page.ts'
import { version } from '../version.ts'

/** The stylesheet of plain pages: the reader's fonts and colors, light or dark, with space on a phone. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: break-word; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1rem 0 0; font-size: 1rem; }
p { margin: .25rem 0 .5rem; }
pre { margin: .25rem 0 .75rem; padding: .6rem .75rem; overflow-x: auto; border-radius: .4rem;
  background: color-mix(in srgb, CanvasText 8%, Canvas); }
code { font: .875rem/1.45 ui-monospace, monospace; }
`

/** GET /: introduces the server, and how each kind of client signs in. It shows no more than `/server_settings`. */
export const getFrontPage = publicAction(
  { name: 'getFrontPage', summary: 'Show how to connect', params: none, result: page, answers: 'page' },
  async (visitor) => {
    const { name, description } = await settingsOf(visitor)
    const url = visitor.origin
    return {
      status: 200,
      title: escapeText(name),
      style,
      body: body({ description, url, path: basePath(visitor.chat) }),
    }
  },
)

interface About {
  description: string
  url: string
  path: string
}

const code = (text: string): string => `<pre><code>${escapeText(text)}</code></pre>`

const body = ({
  description,
  url,
  path,
}: About): string => `${description.trim() === '' ? '' : `<p>${escapeText(description)}</p>\n`}<p>This is a chat server at</p>
${code(url)}
<p>chat-server ${escapeText(version())}. It speaks the Zulip API, feature level ${FEATURE_LEVEL}.</p>

<h2>Connect</h2>
<h3>Phone</h3>
<p>In the Zulip app, choose “Add an account”, enter the address above, and sign in with your email and password.</p>
<h3>Terminal</h3>
<p>zulip-terminal reads a <code>zuliprc</code> file. Get your API key with the first command below.</p>
${code(`[api]\nemail=you@example.com\nkey=YOUR_API_KEY\nsite=${url}`)}
<h3>Bots</h3>
<p>The Python bindings read the same file. For zulip-js, use:</p>
${code(`{ realm: '${url}', username: 'bot@example.com', apiKey: 'YOUR_API_KEY' }`)}
<h3>Browser</h3>
<p>The web client is turned off on this server.</p>

<h2>Next</h2>
<p>Get your API key:</p>
${code(`curl ${url}/api/v1/fetch_api_key -d username=you@example.com --data-urlencode 'password=…'`)}
<p>Say hello:</p>
${code(`curl -u you@example.com:YOUR_API_KEY ${url}/api/v1/messages -d type=stream -d to=general -d topic=hello -d content=Hello`)}
<p>Add a user (on the server):</p>
${code('chat-server user add ann@example.com --name Ann')}
<p>See the <a href="${path}/api/v1/openapi.json">API document</a> for all operations.</p>`
