/** A host that means nothing else in a policy, where `*` and `;` do. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/

const isOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, origin } = new URL(text)
  return /^https?:$/.test(protocol) && HOST.test(hostname) && origin === text
}

/**
 * The origins whose pages may embed the web client, checked.
 *
 * @throws Error for anything but origins such as https://intranet.example
 */
export function readFrameAncestors(origins: readonly string[]): readonly string[] {
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new Error(
    `${JSON.stringify(wrong)} cannot embed the page: an origin is needed, such as https://intranet.example`,
  )
}
