import { browserOf, type Shown } from '../../test/sign-on/scene.ts'

type Fetch = (request: Request) => Promise<Response>

/** A person's browser: it has cookies of the chat server and of the providers, and fills in the providers' pages. */
export function personBrowser(chat: Fetch, sub: string) {
  const here = browserOf(chat)
  const jars = new Map<string, Map<string, string>>()

  async function ask(url: URL, form?: Record<string, string>): Promise<Response> {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  /** Does what the provider's pages ask for, until it sends the browser elsewhere. Returns that address. */
  async function consent(address: string): Promise<string> {
    const { origin } = new URL(address)
    let url = new URL(address)
    let form: Record<string, string> | undefined
    for (let steps = 0; steps < 12; steps++) {
      const response = await ask(url, form)
      const location = response.headers.get('location')
      form = undefined
      if (location !== null) {
        url = new URL(location, url)
        if (url.origin !== origin) return url.href
        continue
      }
      const html = await response.text()
      const [, action] = /<form[^>]* action="([^"]*)"/.exec(html) ?? []
      if (action === undefined) throw new Error(`the provider shows no form, status ${response.status}: ${html}`)
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      form = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]))
      if (/name="login"/.test(html)) form = { ...form, login: sub, password: 'anything' }
      url = new URL(action, url)
    }
    throw new Error('the provider never sends the browser back')
  }

  return {
    ...here,
    consent,
    /** Begins a sign-in, and returns the address that the provider sends the browser back to. */
    async answered(provider: string, query = ''): Promise<string> {
      return consent(await here.start(query, provider))
    },
    async signIn(provider: string, query = ''): Promise<Shown> {
      return here.open(await consent(await here.start(query, provider)))
    },
    /** Signs out at the provider, on its own page. */
    async signOutThere(issuer: string): Promise<void> {
      const page = await ask(new URL('/session/end', issuer))
      const html = await page.text()
      const [, xsrf] = /name="xsrf" value="([^"]*)"/.exec(html)!
      await ask(new URL('/session/end/confirm', issuer), { xsrf: xsrf!, logout: 'yes' })
    },
  }
}
export type PersonBrowser = ReturnType<typeof personBrowser>
